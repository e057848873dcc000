package io.onefold.spring.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.onefold.Onefold;
import io.onefold.http.BodyRules;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.store.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Buffers of a pool, in bodies and in answers: on every way each is given back. */
@Timeout(60)
class BuffersTest {
    private static final int MAX = 100;
    private static final NettyDataBufferFactory POOL = new NettyDataBufferFactory(PooledByteBufAllocator.DEFAULT);

    private final Queue<ByteBuf> taken = new ConcurrentLinkedQueue<>();
    private final AtomicInteger executions = new AtomicInteger();
    private @Nullable NettyServer server;

    private Client open(WebHandler application) {
        HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                .defaults(HttpPolicy.unchanged()
                        .maxAnswerBytes(MAX)
                        .body(BodyRules.standard().max(1000)))
                .build();
        WebFilter filter = new IdempotencyWebFilter(contract, IdempotencyWebFilter.ANONYMOUS);
        WebHandler counting = exchange -> {
            executions.incrementAndGet();
            return application.handle(exchange);
        };
        server = NettyServer.start(
                counting,
                (exchange, chain) -> chain.filter(
                        exchange.mutate().request(pooled(exchange.getRequest())).build()),
                filter);
        return new Client(server.port());
    }

    private ServerHttpRequest pooled(ServerHttpRequest request) {
        return new ServerHttpRequestDecorator(request) {
            @Override
            public Flux<DataBuffer> getBody() {
                // many small ones, so that some may be on their way when something goes wrong
                return super.getBody().concatMap(piece -> {
                    byte[] bytes = WebFluxBodyReader.bytes(piece);
                    return Flux.range(0, bytes.length).map(i -> taken(new String(bytes, i, 1, UTF_8)));
                });
            }
        };
    }

    private DataBuffer taken(String text) {
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.buffer();
        buffer.writeCharSequence(text, UTF_8);
        taken.add(buffer);
        return POOL.wrap(buffer);
    }

    private Flux<DataBuffer> pieces(int count) {
        return Flux.range(0, count).map(i -> taken("0123456789"));
    }

    private void allGivenBack() throws InterruptedException {
        assertThat(taken).isNotEmpty();
        Client.await("all given back", () -> taken.stream().allMatch(buffer -> buffer.refCnt() == 0));
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    private Mono<Void> say(ServerWebExchange exchange, Flux<DataBuffer> pieces) {
        return exchange.getResponse().writeWith(pieces);
    }

    @Test
    void a_body_that_is_read_and_an_answer_that_is_held() throws Exception {
        Client client = open(exchange -> say(exchange, pieces(10)));
        assertThat(client.post("k1", "{\"a\":1}").body()).hasSize(MAX);
        allGivenBack();
        assertThat(taken).hasSize("{\"a\":1}".length() + 10);
    }

    @Test
    void a_body_that_is_too_large() throws Exception {
        Client client = open(exchange -> say(exchange, pieces(10)));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), client.port())) {
            String head = "POST /orders HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k1\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n5DC\r\n" + "x".repeat(1500) + "\r\n";
            socket.getOutputStream().write(head.getBytes(UTF_8));
            assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
                    .isEqualTo("HTTP/1.1 413");
        }
        allGivenBack();
        assertThat(executions).hasValue(0);
    }

    @Test
    void a_body_whose_client_leaves() throws Exception {
        Client client = open(exchange -> say(exchange, pieces(10)));
        Socket impatient = client.half("k1", 900, "x".repeat(500));
        // whoever leaves before is not even noticed: the server drops by itself what nobody has asked for yet
        Client.await("something read", () -> !taken.isEmpty());
        Client.reset(impatient);
        allGivenBack();
        assertThat(executions).hasValue(0);
    }

    @Test
    void an_answer_that_is_too_long() throws Exception {
        Client client = open(exchange -> say(exchange, pieces(100)));
        assertThat(client.post("k1", "{}").body()).hasSize(1000);
        allGivenBack();
    }

    @Test
    void an_answer_that_fails_while_it_is_held() throws Exception {
        Client client = open(exchange -> say(exchange, pieces(5).concatWith(Mono.error(new IOException("broken")))));
        assertThat(client.post("k1", "{}").statusCode()).isEqualTo(500);
        allGivenBack();
    }

    @Test
    void an_answer_that_fails_after_a_part_went_out() throws Exception {
        Client client = open(exchange -> say(exchange, pieces(50).concatWith(Mono.error(new IOException("broken")))));
        assertThatThrownBy(() -> client.post("k1", "{}")).isInstanceOf(IOException.class);
        allGivenBack();
    }

    @Test
    void events_whose_client_leaves_are_taken_to_their_end() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        AtomicBoolean left = new AtomicBoolean();
        Client client = open(exchange -> {
            exchange.getResponse().getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
            // goes on until the client has left, and then for a while
            Flux<DataBuffer> events = Flux.<DataBuffer>generate(sink -> {
                        if (left.get() && sent.incrementAndGet() > 1000) {
                            sink.complete();
                        } else {
                            sink.next(taken("data: x\n\n"));
                        }
                    })
                    .doOnCancel(() -> sent.set(Integer.MIN_VALUE));
            return exchange.getResponse().writeAndFlushWith(events.map(Mono::just));
        });
        try (Socket impatient = client.half("k1", 2, "{}")) {
            assertThat(impatient.getInputStream().readNBytes(12)).hasSize(12);
            Client.reset(impatient);
        }
        left.set(true);
        Client.await("taken to the end", () -> sent.get() > 1000);
        allGivenBack();
        Client.await("recorded", () -> {
            try {
                return client.post("k1", "{}").body().contains("result-not-replayable");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertThat(executions).hasValue(1);
    }
}
