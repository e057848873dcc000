package io.onefold.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import io.onefold.http.BodyRules;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.store.MemoryStore;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/** Bodies that Spring reads for the application, from what was read before. */
@Timeout(60)
class FormTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private @Nullable NettyServer server;

    private Client open(WebHandler application, WebFilter... before) {
        // in memory or on disk, it is the same
        HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                .defaults(HttpPolicy.unchanged().body(BodyRules.standard().memory(1000)))
                .build();
        WebFilter[] filters = Arrays.copyOf(before, before.length + 1);
        filters[before.length] = new IdempotencyWebFilter(contract, IdempotencyWebFilter.ANONYMOUS);
        server = NettyServer.start(application, filters);
        return new Client(server.port());
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void the_application_has_the_fields_of_a_form() throws Exception {
        Client client =
                open(exchange -> exchange.getFormData().flatMap(form -> FilterTest.say(exchange, form.toString())));
        HttpResponse<String> first = client.post("k1", FORM, "a=1&b=%20x&a=2");
        assertThat(first.body()).isEqualTo("{a=[1, 2], b=[ x]}");
        assertThat(Client.replayed(client.post("k1", FORM, "b=+x&a=1&a=2"))).isTrue();
    }

    @Test
    void a_body_that_a_filter_has_read_before_is_not_the_clients_fault() throws Exception {
        AtomicInteger executions = new AtomicInteger();
        Client client = open(
                exchange -> Mono.fromRunnable(executions::incrementAndGet),
                (exchange, chain) -> DataBufferUtils.join(exchange.getRequest().getBody())
                        .doOnNext(DataBufferUtils::release)
                        .then(chain.filter(exchange)));
        for (String type : new String[] {"application/json", FORM}) {
            HttpResponse<String> answer = client.post("k1", type, "{}");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
            assertThat(answer.body()).contains("urn:onefold:problem:misconfigured");
        }
        assertThat(executions).hasValue(0);
    }

    @Test
    void a_form_that_a_filter_has_read_before_is_compared_and_there() throws Exception {
        Client client = open(
                exchange -> exchange.getFormData()
                        .flatMap(form -> FilterTest.say(
                                exchange,
                                form + " " + exchange.getRequest().getHeaders().getContentLength())),
                (exchange, chain) -> exchange.getFormData().then(chain.filter(exchange)));
        assertThat(client.post("k1", FORM, "a=%31&b=%20x&c").body()).isEqualTo("{a=[1], b=[ x], c=[null]} 10");
        assertThat(Client.replayed(client.post("k1", FORM, "a=1&b=%20x&c"))).isTrue();
        assertThat(client.post("k1", FORM, "a=2&b=%20x&c").statusCode()).isEqualTo(422);
    }

    @Test
    void a_form_without_fields_is_one() throws Exception {
        Client client =
                open(exchange -> exchange.getFormData().flatMap(form -> FilterTest.say(exchange, form.toString())));
        assertThat(client.post("k1", FORM, "").body()).isEqualTo("{}");
    }

    @Test
    void the_application_has_the_parts_of_a_multipart_body() throws Exception {
        String file = "0123456789".repeat(1000);
        Client client = open(exchange -> exchange.getMultipartData().flatMap(parts -> {
            FormFieldPart field = (FormFieldPart) Objects.requireNonNull(parts.getFirst("note"));
            FilePart upload = (FilePart) Objects.requireNonNull(parts.getFirst("file"));
            return DataBufferUtils.join(upload.content())
                    .map(content ->
                            field.value() + " " + upload.filename() + " " + WebFluxBodyReader.bytes(content).length)
                    .flatMap(text -> FilterTest.say(exchange, text));
        }));
        String body = "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n" + file
                + "\r\n--b--\r\n";
        assertThat(client.post("k1", "multipart/form-data; boundary=b", body).body())
                .isEqualTo("hello a.txt 10000");
        assertThat(Client.replayed(
                        client.post("k1", "multipart/form-data; boundary=other", body.replace("--b", "--other"))))
                .isTrue();
    }

    @Test
    void the_application_may_read_a_body_twice() throws Exception {
        Client client = open(exchange -> DataBufferUtils.join(
                        exchange.getRequest().getBody())
                .map(WebFluxBodyReader::bytes)
                .zipWith(DataBufferUtils.join(exchange.getRequest().getBody()).map(WebFluxBodyReader::bytes))
                .map(both -> both.getT1().length + " " + both.getT2().length)
                .defaultIfEmpty("nothing")
                .flatMap(text -> FilterTest.say(exchange, text)));
        assertThat(client.post("k1", "text/plain", "x".repeat(20_000)).body()).isEqualTo("20000 20000");
        assertThat(client.post("k2", "text/plain", "").body()).isEqualTo("nothing");
    }
}
