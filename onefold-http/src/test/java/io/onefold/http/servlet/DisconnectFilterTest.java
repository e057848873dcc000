package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.http.HttpPolicy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What an application says of a request that its container has ended. */
class DisconnectFilterTest extends FilterCases {
    private static final String EVENT = "data: 1\n\n";

    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final Told told = new Told();
    private final CountDownLatch hungUp = new CountDownLatch(1);

    @Test
    void a_handler_that_ends_after_its_client_has_gone_has_ended() throws Exception {
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            response.setContentType("text/event-stream");
            response.setHeader("Location", "/pay/1");
            later(async, () -> {
                talkUntilOver(async, EVENT);
                ((HttpServletResponse) async.getResponse()).setHeader("Location", "/too/late");
                async.getResponse().getOutputStream().print("data: nobody hears this\n\n");
                async.complete();
            });
        }));
        hangUpAfterTheFirstByte();
        HttpResponse<String> second = send(post("k"));
        assertThat(second.body()).contains("result-not-replayable").contains("status 200");
        assertThat(second.headers().firstValue("Location")).contains("/pay/1");
        assertThat(executions).hasValue(1);
        assertThat(thrown).isEmpty();
        assertThat(told.completed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_long_answer_whose_client_has_gone_is_recorded_as_done() throws Exception {
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            later(async, () -> {
                talkUntilOver(async, "x".repeat(300_000));
                async.complete();
            });
        }));
        hangUpAfterTheFirstByte();
        assertThat(send(post("k")).body()).contains("result-not-replayable");
        assertThat(thrown).isEmpty();
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_dispatch_that_comes_too_late_leaves_the_request_unknown() throws Exception {
        start(counting((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                executions.decrementAndGet();
                return;
            }
            AsyncContext async = request.startAsync();
            async.setTimeout(60_000);
            response.setContentType("text/event-stream");
            later(async, () -> {
                talkUntilOver(async, EVENT);
                async.dispatch();
            });
        }));
        hangUpAfterTheFirstByte();
        HttpResponse<String> second = send(post("k"));
        assertThat(executions).hasValue(1);
        if (kind == Container.Kind.TOMCAT) {
            assertThat(second.body()).contains("outcome-unknown");
            assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
        } else {
            assertThat(second.body()).as("not too late at all").contains("result-not-replayable");
        }
    }

    @Test
    void a_handler_that_says_nothing_more_after_its_client_has_gone_leaves_the_request_unknown() throws Exception {
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(3_000);
            response.setContentType("text/event-stream");
            later(async, () -> talkUntilOver(async, EVENT));
        }));
        hangUpAfterTheFirstByte();
        assertThat(send(post("k")).body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_handler_that_never_ends_is_stopped_when_its_client_has_gone_and_its_claim_is_over() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        Duration time = Duration.ofSeconds(1);
        Servlet endless = counting((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            response.setContentType("text/event-stream");
            later(async, () -> {
                try {
                    for (int i = 0; i < 4_000; i++) {
                        async.getResponse().getOutputStream().print(EVENT);
                        async.getResponse().flushBuffer();
                        LockSupport.parkNanos(5_000_000);
                    }
                } catch (IOException e) {
                    stopped.countDown();
                }
            });
        });
        start(HttpPolicy.unchanged().lease(time, time).waitFor(time), Map.of("/pay", endless), null);
        hangUpAfterTheFirstByte();
        assertThat(stopped.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(send(post("k")).body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_part_of_an_answer_whose_time_ran_out_is_not_taken_for_the_whole() throws Exception {
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(500);
            response.getOutputStream().write(new byte[400_000]);
            response.flushBuffer();
        }));
        assertThatThrownBy(() -> send(post("k"))).isInstanceOf(IOException.class);
        HttpResponse<String> second = send(post("k"));
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @Test
    void listeners_hear_that_a_dispatched_request_is_complete() throws Exception {
        start(counting((request, response) -> {
            if (request.getAttribute("again") == null) {
                request.setAttribute("again", true);
                AsyncContext async = request.startAsync();
                async.addListener(told);
                async.start(async::dispatch);
            } else {
                response.getWriter().print("dispatched");
            }
        }));
        assertThat(send(post("k")).body()).isEqualTo("dispatched");
        assertThat(told.completed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /**
     * Writes until the container has heard that nobody listens, and has let go of the request. Jetty does not, before it is told that
     * the application is done: there it is written long enough to be noticed.
     */
    private void talkUntilOver(AsyncContext async, String text) throws IOException {
        ServletResponse response = async.getResponse();
        int unheard = 0;
        while (told.completed.getCount() > 0 && (kind == Container.Kind.TOMCAT || unheard < 1_000)) {
            response.getOutputStream().print(text);
            response.flushBuffer();
            unheard += hungUp.getCount() == 0 ? 1 : 0;
        }
    }

    private void later(AsyncContext async, Step step) {
        async.addListener(told);
        new Thread(() -> {
                    try {
                        step.take();
                    } catch (Exception e) {
                        thrown.add(e);
                    }
                })
                .start();
    }

    private interface Step {
        void take() throws Exception;
    }

    private void hangUpAfterTheFirstByte() throws IOException, InterruptedException {
        try (Socket socket = new Socket("localhost", port())) {
            socket.setSoLinger(true, 0); // closing it is a reset
            socket.getOutputStream()
                    .write("POST /pay HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\nContent-Length: 2\r\n\r\n{}"
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            assertThat(in.read()).isEqualTo('H');
        }
        hungUp.countDown();
        if (kind == Container.Kind.TOMCAT) {
            assertThat(told.completed.await(20, TimeUnit.SECONDS))
                    .as("the container has let go of it, and said so")
                    .isTrue();
        }
    }

    private static final class Told implements AsyncListener {
        final CountDownLatch completed = new CountDownLatch(1);

        @Override
        public void onComplete(AsyncEvent event) {
            completed.countDown();
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
