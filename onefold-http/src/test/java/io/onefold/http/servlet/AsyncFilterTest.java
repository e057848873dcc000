package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Attempt;
import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpListener;
import io.onefold.http.HttpPolicy;
import io.onefold.http.RequestPlan;
import io.onefold.http.Route;
import io.onefold.store.MemoryStore;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ReadListener;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a servlet may do later or bit by bit, and who waits for it or does not. */
class AsyncFilterTest extends FilterCases {
    /** When the container's thread is back from a dispatch. */
    private final CountDownLatch dispatched = new CountDownLatch(1);

    @Override
    Filter around(Filter filter) {
        return (request, response, chain) -> {
            filter.doFilter(request, response, chain);
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                dispatched.countDown();
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_is_handled_on_another_thread_is_recorded_before_it_is_answered() throws Exception {
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            new Thread(() -> {
                        try {
                            async.getResponse().getOutputStream().print("later");
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                        async.complete();
                    })
                    .start();
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("later");
        assertOnce(first, send(post("k")));
    }

    @Test
    void what_is_dispatched_is_recorded_when_the_dispatch_has_ended() throws Exception {
        start(counting((request, response) -> {
            if (request.getAttribute("again") == null) {
                request.setAttribute("again", true);
                AsyncContext async = request.startAsync();
                async.start(async::dispatch);
                executions.decrementAndGet();
            } else {
                response.getWriter().print("dispatched");
            }
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("dispatched");
        assertOnce(first, send(post("k")));
    }

    @Test
    void a_handler_that_lets_its_time_run_out_may_still_be_at_work() throws Exception {
        start(counting((request, response) -> request.startAsync().setTimeout(200)));
        assertThat(send(post("k")).statusCode()).isEqualTo(500);
        HttpResponse<String> second = send(post("k"));
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_handler_that_may_still_be_at_work_is_not_asked_again_whatever_an_error_means() throws Exception {
        HttpPolicy policy = HttpPolicy.unchanged().on5xx(HttpPolicy.On5xx.RETRY).neverStore(500);
        start(
                policy,
                Map.of(
                        "/pay",
                        counting((request, response) -> request.startAsync().setTimeout(200))),
                null);
        assertThat(send(post("k")).statusCode()).isEqualTo(500);
        assertThat(send(post("k")).body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @Test
    void what_a_handler_says_after_its_time_has_run_out_reaches_nobody() throws Exception {
        CompletableFuture<HttpServletResponse> kept = new CompletableFuture<>();
        store.beforeUpdates = () -> {
            kept.join().setStatus(201);
            kept.join().setHeader("Location", "/too/late");
        };
        start(counting((request, response) -> {
            kept.complete(response);
            request.startAsync().setTimeout(200);
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.headers().firstValue("Location")).isEmpty();
    }

    @Test
    void what_a_handler_says_while_its_end_is_rendered_is_not_mixed_with_it() throws Exception {
        CompletableFuture<HttpServletResponse> kept = new CompletableFuture<>();
        Servlet page = servlet((request, response) -> {
            response.getWriter().print("too late");
            kept.join().setStatus(201);
            kept.join().setHeader("Location", "/too/late");
            kept.join().getOutputStream().print("done");
        });
        Servlet slow = counting((request, response) -> {
            kept.complete(response);
            request.startAsync().setTimeout(200);
        });
        start(Map.of("/pay", slow, "/error", page), "/error");
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.body()).isEqualTo("too late");
        assertThat(first.headers().firstValue("Location")).isEmpty();
    }

    @Test
    void an_error_of_a_dispatch_is_rendered_by_the_error_page_and_replayed_so() throws Exception {
        Servlet page = servlet((request, response) ->
                response.getWriter().print("page for " + request.getAttribute("jakarta.servlet.error.status_code")));
        Servlet failing = servlet((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                executions.incrementAndGet();
                throw new IllegalStateException("broken on purpose");
            }
            AsyncContext async = request.startAsync();
            async.start(async::dispatch);
        });
        // the container has its thread back before there is an answer
        store.beforeUpdates = () -> await(dispatched);
        start(Map.of("/pay", failing, "/error", page), "/error");
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("page for 500");
        assertOnce(first, send(post("k")));
    }

    @Test
    void a_dispatch_that_goes_past_the_filter_leaves_the_request_unknown() throws Exception {
        registered = new Container.Registration(true, true, false);
        start(servlet((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                executions.incrementAndGet();
                response.getWriter().print("dispatched");
            } else {
                AsyncContext async = request.startAsync();
                async.start(async::dispatch);
            }
        }));
        send(post("k"));
        assertThat(send(post("k")).body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_request_that_passes_is_counted_once_however_often_it_is_dispatched() throws Exception {
        AtomicInteger passed = new AtomicInteger();
        HttpContract contract = HttpContract.builder(Onefold.on(store))
                .route(Route.of("POST", "/pay"))
                .listener(new HttpListener() {
                    @Override
                    public void passed(RequestPlan.PassReason why) {
                        passed.incrementAndGet();
                    }
                })
                .build();
        Servlet later = servlet((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.getWriter().print("dispatched");
            } else {
                AsyncContext async = request.startAsync();
                async.start(async::dispatch);
            }
        });
        container = kind.start(
                new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS), Map.of("/pay", later, "/open", later));
        URI open = URI.create("http://localhost:" + port() + "/open");
        assertThat(send(post("k").uri(open)).body()).isEqualTo("dispatched");
        assertThat(passed).hasValue(1);
    }

    @Test
    void a_listener_that_reads_until_all_is_read_is_told_so() throws Exception {
        Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(3_000);
            ServletInputStream in = request.getInputStream();
            StringBuilder text = new StringBuilder();
            in.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    byte[] buffer = new byte[16];
                    while (in.isReady() && !in.isFinished()) {
                        text.append(new String(buffer, 0, in.read(buffer), StandardCharsets.UTF_8));
                    }
                }

                @Override
                public void onAllDataRead() throws IOException {
                    async.getResponse().getOutputStream().print("all of " + text);
                    async.complete();
                }

                @Override
                public void onError(Throwable e) {
                    thrown.add(e);
                }
            });
        }));
        assertThat(send(post("k")).body()).isEqualTo("all of {}");
        assertThat(send(post("empty").POST(HttpRequest.BodyPublishers.noBody())).body())
                .isEqualTo("all of ");
        assertThat(thrown).isEmpty();
    }

    @Test
    void what_a_listener_writes_when_it_may_is_recorded_and_replayed() throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new WriteListener() {
                private int written;

                @Override
                public void onWritePossible() throws IOException {
                    while (out.isReady()) {
                        if (written == 3) {
                            async.complete();
                            return;
                        }
                        out.print("piece " + written++ + ";");
                    }
                }

                @Override
                public void onError(Throwable e) {
                    thrown.add(e);
                }
            });
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("piece 0;piece 1;piece 2;");
        assertOnce(first, send(post("k")));
        assertThat(thrown).isEmpty();
    }

    @Test
    void a_listener_that_fails_to_write_is_told_of_it() throws Exception {
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            response.getOutputStream().setWriteListener(new WriteListener() {
                @Override
                public void onWritePossible() throws IOException {
                    throw new IOException("nothing to write");
                }

                @Override
                public void onError(Throwable e) {
                    ((HttpServletResponse) async.getResponse()).setStatus(418);
                    async.complete();
                }
            });
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(418);
        assertOnce(first, send(post("k")));
    }

    @Test
    void what_a_listener_answers_to_a_timeout_is_the_answer() throws Exception {
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(200);
            async.addListener(new AsyncListener() {
                @Override
                public void onTimeout(AsyncEvent event) throws IOException {
                    event.getAsyncContext().getResponse().getOutputStream().print("took too long");
                    event.getAsyncContext().complete();
                }

                @Override
                public void onComplete(AsyncEvent event) {}

                @Override
                public void onError(AsyncEvent event) {}

                @Override
                public void onStartAsync(AsyncEvent event) {}
            });
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("took too long");
        assertOnce(first, send(post("k")));
    }

    @Test
    void events_are_sent_as_they_come_and_are_not_replayed() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        start(counting((request, response) -> {
            response.setContentType("text/event-stream");
            response.getOutputStream().print("data: 1\n\n");
            response.flushBuffer();
            assertThat(heard.await(20, TimeUnit.SECONDS)).isTrue();
            response.getOutputStream().print("data: 2\n\n");
        }));
        HttpResponse<InputStream> first = CLIENT.send(post("k").build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream events = first.body()) {
            assertThat(new String(events.readNBytes(9), StandardCharsets.UTF_8)).isEqualTo("data: 1\n\n");
            heard.countDown();
            assertThat(new String(events.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("data: 2\n\n");
        }
        HttpResponse<String> second = send(post("k"));
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("urn:onefold:problem:result-not-replayable");
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_client_that_hangs_up_gets_its_answer_when_it_comes_back() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        start(counting((request, response) -> {
            begun.countDown();
            assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue();
            response.getWriter().print("done");
        }));
        try (Socket socket = new Socket("localhost", port())) {
            OutputStream out = socket.getOutputStream();
            out.write("POST /pay HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\nContent-Length: 2\r\n\r\n{}"
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        }
        gone.countDown();
        HttpResponse<String> second = send(post("k"));
        assertThat(second.body()).isEqualTo("done");
        assertThat(replayed(second)).isTrue();
        assertThat(executions).hasValue(1);
    }

    @Test
    void duplicates_that_wait_hold_no_thread() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Servlet open = servlet((request, response) -> response.getWriter().print("open"));
        start(
                Map.of(
                        "/pay",
                        counting((request, response) -> {
                            assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
                            response.getWriter().print("done");
                        }),
                        "/open",
                        open),
                null);
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        all.add(sendAsync(post("k")));
        while (executions.get() == 0) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < 2 * Container.THREADS - 1; i++) {
            all.add(sendAsync(post("k")));
        }
        URI other = URI.create("http://localhost:" + port() + "/open");
        assertThat(send(HttpRequest.newBuilder(other).timeout(Duration.ofSeconds(10)))
                        .body())
                .isEqualTo("open");
        gate.countDown();
        int replays = 0;
        for (CompletableFuture<HttpResponse<String>> one : all) {
            HttpResponse<String> response = one.get(30, TimeUnit.SECONDS);
            assertThat(response.body()).isEqualTo("done");
            replays += replayed(response) ? 1 : 0;
        }
        assertThat(replays).isEqualTo(all.size() - 1);
        assertThat(executions).hasValue(1);
    }

    @Test
    void a_duplicate_that_waited_takes_its_turn_when_the_first_did_nothing() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        start(counting((request, response) -> {
            Attempt attempt = (Attempt) Objects.requireNonNull(request.getAttribute(Attempt.class.getName()));
            if (attempt.number() == 1) {
                assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
                throw attempt.notExecuted("not yet");
            }
            response.getWriter()
                    .print("attempt " + attempt.number() + " "
                            + request.getReader().readLine());
        }));
        CompletableFuture<HttpResponse<String>> first = sendAsync(post("k"));
        while (executions.get() == 0) {
            Thread.onSpinWait();
        }
        CompletableFuture<HttpResponse<String>> second = sendAsync(post("k"));
        gate.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
        assertThat(second.get(30, TimeUnit.SECONDS).body()).isEqualTo("attempt 2 {}");
        assertThat(executions).hasValue(2);
    }

    @Test
    void a_listener_that_reads_later_is_not_called_again_and_again() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        start(counting((request, response) -> {
            AsyncContext async = request.startAsync();
            ServletInputStream in = request.getInputStream();
            in.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() {
                    calls.incrementAndGet();
                }

                @Override
                public void onAllDataRead() throws IOException {
                    async.getResponse().getOutputStream().print("all of it");
                    async.complete();
                }

                @Override
                public void onError(Throwable e) {}
            });
            async.start(() -> {
                try {
                    in.readAllBytes();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("all of it");
        assertThat(calls).hasValue(1);
        assertOnce(first, send(post("k")));
    }

    @Test
    void a_filter_without_asynchronous_support_is_refused_before_anything_happens() throws Exception {
        HttpContract contract =
                HttpContract.builder(Onefold.on(new MemoryStore())).build();
        container = kind.start(
                new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS),
                Map.of("/pay", counting((request, response) -> {})),
                new Container.Registration(false, true, true));
        assertThat(send(post("k")).statusCode()).isEqualTo(500);
        assertThat(executions).hasValue(0);
    }
}
