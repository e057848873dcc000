package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Attempt;
import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.Policy;
import io.onefold.http.Route;
import io.onefold.store.MemoryStore;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.ReadListener;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a servlet may do, behind the filter, in each container. */
@ParameterizedClass
@EnumSource(Container.Kind.class)
class FilterTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String MULTIPART = """
            --b
            Content-Disposition: form-data; name="note"

            hello
            --b
            Content-Disposition: form-data; name="file"; filename="a.txt"
            Content-Type: text/plain

            content
            --b--
            """.replace("\n", "\r\n");

    @Parameter
    Container.Kind kind = Container.Kind.TOMCAT;

    private final AtomicInteger executions = new AtomicInteger();
    private @Nullable Container container;

    @AfterEach
    void stop() {
        if (container != null) {
            container.close();
        }
    }

    private interface Handler {
        void handle(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    private Servlet servlet(Handler handler) {
        return new HttpServlet() {
            private static final long serialVersionUID = 1;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                try {
                    handler.handle(request, response);
                } catch (IOException | RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    /** A servlet that counts. */
    private Servlet counting(Handler handler) {
        return servlet((request, response) -> {
            executions.incrementAndGet();
            handler.handle(request, response);
        });
    }

    private void start(Servlet servlet) throws Exception {
        start(Map.of("/pay", servlet), null);
    }

    private void start(Map<String, Servlet> servlets, @Nullable String errorPage) throws Exception {
        start(Policy.unchanged(), servlets, errorPage);
    }

    private void start(Policy policy, Map<String, Servlet> servlets, @Nullable String errorPage) throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                .route(Route.of("POST", "/pay").policy(policy.waitFor(Duration.ofSeconds(20))))
                .build();
        IdempotencyFilter filter = new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS);
        container = kind.start(errorPage == null ? filter : filter.errorPage(errorPage), servlets);
    }

    private HttpRequest.Builder post(String key) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + "/pay"))
                .header("Idempotency-Key", key)
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofString("{}"));
    }

    private int port() {
        return Objects.requireNonNull(container).port();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static boolean replayed(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    private void assertOnce(HttpResponse<String> first, HttpResponse<String> second) {
        assertThat(executions).hasValue(1);
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Content-Type"))
                .isEqualTo(first.headers().firstValue("Content-Type"));
        assertThat(replayed(first)).isFalse();
        assertThat(replayed(second)).isTrue();
    }

    @Test
    void a_writer_and_its_charset_are_replayed() throws Exception {
        start(counting((request, response) -> {
            response.setStatus(201);
            response.setContentType("text/plain;charset=UTF-8");
            response.setHeader("Location", "/pay/1");
            response.setHeader("Idempotent-Replayed", "true");
            response.getWriter().print("zahlung läuft");
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("zahlung läuft");
        HttpResponse<String> second = send(post("k"));
        assertOnce(first, second);
        assertThat(second.headers().firstValue("Location")).contains("/pay/1");
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
    void a_form_is_read_as_parameters() throws Exception {
        start(counting((request, response) -> response.getWriter()
                .print(request.getParameter("a") + "," + List.of(request.getParameterValues("b")))));
        HttpRequest.Builder form = post("k")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("a=1%2B1&b=x&b=y"));
        HttpResponse<String> first = send(form);
        assertThat(first.body()).isEqualTo("1+1,[x, y]");
        assertOnce(first, send(form));
    }

    @Test
    void a_form_that_an_earlier_filter_has_read_is_the_same_form() throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                .route(Route.of("POST", "/pay"))
                .build();
        IdempotencyFilter filter = new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS);
        Filter curious = (request, response, chain) -> {
            assertThat(request.getParameter("amount")).isNotNull();
            filter.doFilter(request, response, chain);
        };
        Servlet echo = counting((request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().print(request.getParameter("amount") + List.of(request.getParameterValues("b")));
        });
        container = kind.start(curious, Map.of("/pay", echo));
        for (boolean chunked : List.of(false, true)) {
            executions.set(0);
            HttpResponse<String> first = send(form("k" + chunked, "amount=1%2B1&b=%C3%A9&b=y", chunked));
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.body()).isEqualTo("1+1[q, \u00e9, y]");
            assertOnce(first, send(form("k" + chunked, "amount=1%2B1&b=%C3%A9&b=y", chunked)));
            assertThat(send(form("k" + chunked, "amount=2&b=y", chunked)).statusCode())
                    .isEqualTo(422);
        }
    }

    private HttpRequest.Builder form(String key, String body, boolean chunked) {
        byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + "/pay?b=q"))
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
                .timeout(Duration.ofSeconds(30))
                .POST(
                        chunked
                                ? HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))
                                : HttpRequest.BodyPublishers.ofByteArray(bytes));
    }

    @Test
    void a_form_has_the_charset_of_its_request_and_a_broken_pair_is_not_there() throws Exception {
        start(counting((request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter()
                    .print(request.getParameter("a") + "," + request.getParameter("b") + ","
                            + request.getParameter("c"));
        }));
        HttpRequest.Builder form = post("k")
                .header("Content-Type", "application/x-www-form-urlencoded;charset=GBK")
                .POST(HttpRequest.BodyPublishers.ofString("a=%D6%D0&b=%zz&c=1"));
        HttpResponse<String> first = send(form);
        assertThat(first.body()).isEqualTo("\u4e2d,null,1");
        assertOnce(first, send(form));
    }

    @Test
    void parts_are_there_to_be_read() throws Exception {
        start(counting((request, response) -> {
            Part file = Objects.requireNonNull(request.getPart("file"));
            response.getWriter()
                    .print(request.getParameter("note") + "," + file.getSubmittedFileName() + ","
                            + new String(file.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }));
        HttpRequest.Builder upload = post("k")
                .header("Content-Type", "multipart/form-data; boundary=b")
                .POST(HttpRequest.BodyPublishers.ofString(MULTIPART));
        HttpResponse<String> first = send(upload);
        assertThat(first.body()).isEqualTo("hello,a.txt,content");
        HttpRequest.Builder other = post("k")
                .header("Content-Type", "multipart/form-data; boundary=other")
                .POST(HttpRequest.BodyPublishers.ofString(MULTIPART.replace("--b", "--other")));
        assertOnce(first, send(other));
    }

    @Test
    void an_error_that_is_sent_is_replayed() throws Exception {
        start(counting((request, response) -> response.sendError(418, "no")));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(418);
        assertOnce(first, send(post("k")));
    }

    @Test
    void an_error_is_rendered_by_the_error_page_and_replayed_so() throws Exception {
        Servlet page = servlet((request, response) ->
                response.getWriter().print("page for " + request.getAttribute("jakarta.servlet.error.status_code")));
        start(Map.of("/pay", counting((request, response) -> response.sendError(418)), "/error", page), "/error");
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("page for 418");
        assertOnce(first, send(post("k")));
    }

    @Test
    void an_exception_is_the_answer_to_every_duplicate() throws Exception {
        start(counting((request, response) -> {
            response.getWriter().print("half of it");
            throw new IllegalStateException("broken on purpose");
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.body()).doesNotContain("half of it");
        assertOnce(first, send(post("k")));
    }

    @Test
    void who_says_that_nothing_happened_may_be_asked_again() throws Exception {
        start(counting((request, response) -> {
            Attempt attempt = (Attempt) Objects.requireNonNull(request.getAttribute(Attempt.class.getName()));
            if (attempt.number() == 1) {
                throw attempt.notExecuted("the till was closed");
            }
            response.getWriter().print("attempt " + attempt.number());
        }));
        assertThat(send(post("k")).statusCode()).isEqualTo(500);
        assertThat(send(post("k")).body()).isEqualTo("attempt 2");
        assertThat(executions).hasValue(2);
    }

    @Test
    void an_exception_that_means_that_nothing_was_done_frees_the_key() throws Exception {
        Policy policy = Policy.unchanged().retryOn(IllegalStateException.class).failOn(RuntimeException.class);
        start(
                policy,
                Map.of("/pay", counting((request, response) -> {
                    throw executions.get() == 1 ? new IllegalStateException() : new IllegalArgumentException();
                })),
                null);
        assertThat(send(post("k")).statusCode()).isEqualTo(500);
        HttpResponse<String> second = send(post("k"));
        assertThat(replayed(second)).isFalse();
        assertThat(executions).hasValue(2);
        assertThat(replayed(send(post("k")))).isTrue();
        assertThat(executions).hasValue(2);
    }

    @Test
    void an_exception_may_be_the_answer_where_other_errors_are_tried_again() throws Exception {
        Policy policy = Policy.unchanged().on5xx(Policy.On5xx.RETRY).failOn(IllegalStateException.class);
        start(
                policy,
                Map.of("/pay", counting((request, response) -> {
                    throw executions.get() == 1 ? new RuntimeException() : new IllegalStateException();
                })),
                null);
        send(post("k"));
        HttpResponse<String> second = send(post("k"));
        assertThat(replayed(second)).isFalse();
        HttpResponse<String> third = send(post("k"));
        assertThat(replayed(third)).isTrue();
        assertThat(third.body()).isEqualTo(second.body());
        assertThat(executions).hasValue(2);
    }

    @Test
    void what_a_validation_refuses_frees_the_key_if_it_says_so() throws Exception {
        start(counting((request, response) -> {
            if (executions.get() == 1) {
                response.setHeader("Onefold-Outcome", "not-executed");
                response.sendError(400, "no amount");
            } else {
                response.getWriter().print("done");
            }
        }));
        HttpResponse<String> refused = send(post("k"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Onefold-Outcome")).isEmpty();
        assertThat(send(post("k")).body()).isEqualTo("done");
        assertThat(replayed(send(post("k")))).isTrue();
    }

    @Test
    void a_redirect_is_replayed() throws Exception {
        start(counting((request, response) -> response.sendRedirect("/elsewhere")));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(302);
        HttpResponse<String> second = send(post("k"));
        assertOnce(first, second);
        assertThat(second.headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).endsWith("/elsewhere"));
    }

    @Test
    void what_another_servlet_is_asked_to_write_is_recorded() throws Exception {
        Servlet other = servlet((request, response) -> response.getWriter().print("from the other"));
        start(
                Map.of(
                        "/pay",
                        counting((request, response) ->
                                request.getRequestDispatcher("/other").forward(request, response)),
                        "/other",
                        other),
                null);
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("from the other");
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
    void an_answer_that_is_too_long_to_be_kept_reaches_the_first_caller_whole() throws Exception {
        start(counting((request, response) -> {
            byte[] block = new byte[100_000];
            for (int i = 0; i < 10; i++) {
                response.getOutputStream().write(block);
            }
        }));
        assertThat(send(post("k")).body()).hasSize(1_000_000);
        assertThat(send(post("k")).statusCode()).isEqualTo(409);
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
    void an_answer_that_breaks_off_is_seen_to_be_broken_and_is_unknown() throws Exception {
        start(counting((request, response) -> {
            response.getOutputStream().write(new byte[400_000]);
            throw new IllegalStateException("broken on purpose");
        }));
        assertThatThrownBy(() -> send(post("k"))).isInstanceOf(IOException.class);
        HttpResponse<String> second = send(post("k"));
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/./pay", "/x/../pay", "//pay", "/%70ay", "/pay;a=b"})
    void a_path_that_is_only_spelled_otherwise_evades_no_route(String path) throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                .route(Route.of("POST", "/pay").policy(Policy.unchanged().required(true)))
                .build();
        container = kind.start(
                new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS),
                Map.of("/pay", counting((request, response) -> {})));
        try (Socket socket = new Socket("localhost", port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            socket.getInputStream().readAllBytes();
        }
        assertThat(executions).hasValue(0);
    }

    @Test
    void a_filter_without_asynchronous_support_is_refused_before_anything_happens() throws Exception {
        HttpContract contract =
                HttpContract.builder(Onefold.on(new MemoryStore())).build();
        container = kind.start(
                new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS),
                Map.of("/pay", counting((request, response) -> {})),
                false);
        assertThat(send(post("k")).statusCode()).isEqualTo(500);
        assertThat(executions).hasValue(0);
    }
}
