package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.onefold.http.BodyRules;
import io.onefold.http.HttpPolicy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Requests that are only observed. */
class ShadowTest extends FilterCases {
    private static final String REPLAY = "POST /pay: a duplicate ran, which would get the first answer";

    /** When the container's thread is back. */
    private final CountDownLatch left = new CountDownLatch(1);

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final AppenderBase<ILoggingEvent> listener = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            told.add(event.getFormattedMessage());
        }
    };

    @BeforeEach
    void listen() {
        listener.start();
        logger().setLevel(Level.INFO);
        logger().addAppender(listener);
    }

    @AfterEach
    void leave() {
        logger().detachAppender(listener);
        logger().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.onefold.shadow");
    }

    private void observe(HttpPolicy policy, Servlet servlet) throws Exception {
        start(policy.shadow(true), Map.of("/pay", servlet), null);
    }

    private void observe(Servlet servlet) throws Exception {
        observe(HttpPolicy.unchanged(), servlet);
    }

    private String told() throws InterruptedException {
        return Objects.requireNonNull(told.poll(20, TimeUnit.SECONDS), "nothing was told");
    }

    private static HttpRequest.Builder with(HttpRequest.Builder request, String body) {
        return request.POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpRequest.Builder json(String body) {
        return with(post("k"), body).header("Content-Type", "application/json");
    }

    private static Handler echo() {
        return (request, response) -> {
            response.setContentType("text/plain");
            response.getOutputStream().write(request.getInputStream().readAllBytes());
        };
    }

    @Test
    void a_duplicate_runs_and_is_told_and_no_answer_is_changed() throws Exception {
        observe(counting(echo()));
        HttpResponse<String> first = send(json("{\"a\":1}"));
        HttpResponse<String> second = send(json("{ \"a\": 1.0 }"));
        assertThat(told()).isEqualTo(REPLAY);
        assertThat(executions).hasValue(2);
        assertThat(first.body()).isEqualTo("{\"a\":1}");
        assertThat(second.body()).isEqualTo("{ \"a\": 1.0 }");
        for (HttpResponse<String> response : List.of(first, second)) {
            assertThat(response.headers().map().keySet())
                    .noneMatch(name -> name.contains("idempoten") || name.contains("onefold"));
        }
        send(json("{\"a\":2}"));
        assertThat(told()).contains("a key was used for another request", "body.a");
    }

    @Test
    void readers_forms_and_parts_are_read_as_ever() throws Exception {
        observe(counting((request, response) -> response.getWriter()
                .print(
                        FormParameters.is(request)
                                ? request.getParameter("a")
                                : request.getReader().readLine())));
        assertThat(send(with(post("r"), "läuft").header("Content-Type", "text/plain;charset=UTF-8"))
                        .body())
                .isNotEmpty();
        HttpRequest.Builder form = with(post("k"), "a=1").header("Content-Type", "application/x-www-form-urlencoded");
        assertThat(send(form).body()).isEqualTo("1");
        assertThat(send(form).body()).isEqualTo("1");
        assertThat(told()).isEqualTo(REPLAY);
        send(with(post("k"), "a=2").header("Content-Type", "application/x-www-form-urlencoded"));
        assertThat(told()).contains("a key was used for another request");
    }

    @Test
    void what_would_be_refused_is_told_and_passes() throws Exception {
        HttpPolicy policy =
                HttpPolicy.unchanged().required(true).body(BodyRules.standard().max(10));
        observe(policy, counting(echo()));
        HttpRequest.Builder bare = HttpRequest.newBuilder(post("k").build().uri());
        assertThat(send(with(bare, "{}")).body()).isEqualTo("{}");
        assertThat(told())
                .startsWith("POST /pay: a call ran, which would be refused: 400 An idempotency key is needed");
        assertThat(send(with(post("k"), "[1,2,3,4,5,6,7]")).body()).isEqualTo("[1,2,3,4,5,6,7]");
        assertThat(told()).contains("413");
        HttpRequest.Builder chunked = post("k")
                .POST(HttpRequest.BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream("[1,2,3,4,5,6,7]".getBytes(StandardCharsets.UTF_8))));
        assertThat(send(chunked).body()).isEqualTo("[1,2,3,4,5,6,7]");
        assertThat(told()).contains("413");
        send(post("a").header("Idempotency-Key", "b"));
        assertThat(told()).contains("400 The idempotency key is not valid");
    }

    @Test
    void the_retry_of_a_request_that_was_not_carried_out_is_no_duplicate() throws Exception {
        observe(counting((request, response) -> {
            if (executions.get() == 1) {
                response.setStatus(429); // and the body stays unread
            } else {
                echo().handle(request, response);
            }
        }));
        assertThat(send(post("k")).statusCode()).isEqualTo(429);
        assertThat(send(post("k")).statusCode()).isEqualTo(200);
        send(post("k"));
        assertThat(told()).isEqualTo(REPLAY);
        assertThat(told).isEmpty();
    }

    @Test
    void an_answer_that_is_a_stream_goes_out_as_it_is_written() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        observe(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            new Thread(() -> {
                        try {
                            async.getResponse().getOutputStream().print("1");
                            async.getResponse().flushBuffer();
                            read.await();
                            async.getResponse().getOutputStream().print("2");
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                        async.complete();
                    })
                    .start();
        }));
        HttpResponse<InputStream> first = CLIENT.send(post("k").build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = first.body()) {
            assertThat(body.read()).isEqualTo('1');
            read.countDown();
            assertThat(body.read()).isEqualTo('2');
        }
        send(post("k"));
        assertThat(told()).isEqualTo(REPLAY);
        assertThat(executions).hasValue(2);
    }

    @Test
    void a_duplicate_of_a_request_that_is_still_under_way_is_told() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        HttpPolicy policy = HttpPolicy.unchanged().rejectDuplicates("once");
        observe(policy, counting((request, response) -> {
            byte[] unused = request.getInputStream().readAllBytes();
            if (executions.get() == 1) {
                begun.countDown();
                second.await();
            }
        }));
        var first = sendAsync(post("k"));
        begun.await();
        send(post("k"));
        assertThat(told()).isEqualTo("POST /pay: a duplicate ran, which would be refused: once");
        second.countDown();
        assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void what_an_application_throws_is_thrown_as_ever() throws Exception {
        observe(HttpPolicy.unchanged().retryOn(IllegalStateException.class), counting((request, response) -> {
            if (executions.get() == 1) {
                throw new IllegalStateException("expected");
            }
        }));
        assertThat(send(post("k")).statusCode()).isEqualTo(500);
        assertThat(send(post("k")).statusCode()).isEqualTo(200);
        send(post("k"));
        assertThat(told()).isEqualTo(REPLAY);
        assertThat(told).isEmpty();
    }

    @Test
    void a_form_is_left_to_the_application_that_reads_it_later() throws Exception {
        observe(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            new Thread(() -> {
                        try {
                            left.await();
                            byte[] form = request.getInputStream().readAllBytes();
                            async.getResponse().getOutputStream().write(form);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                        async.complete();
                    })
                    .start();
        }));
        assertThat(send(with(post("k"), "a=1").header("Content-Type", "application/x-www-form-urlencoded"))
                        .body())
                .isEqualTo("a=1");
    }

    @Override
    Filter around(Filter filter) {
        return (request, response, chain) -> {
            filter.doFilter(request, response, chain);
            left.countDown();
        };
    }
}
