package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.legacy.Idempotent;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

/** An application that has changed an import: each attribute and property of the old annotation, over HTTP. */
class OldAnnotationTest {
    private static final String BUSY = "订单正在处理中，请勿重复提交";
    private static final String HEADER = "Idempotent-Token";

    @Test
    void a_token_in_the_header_runs_once_and_a_duplicate_hears_the_message() throws Exception {
        try (Running shop = start()) {
            assertThat(post(shop, "/header", "t1").statusCode()).isEqualTo(200);
            HttpResponse<String> second = post(shop, "/header", "t1");
            assertThat(second.statusCode()).isEqualTo(409);
            assertThat(second.body()).contains(BUSY);
            assertThat(post(shop, "/header", "t2").statusCode()).isEqualTo(200);
            assertThat(post(shop, "/header", "").statusCode()).as("no token").isEqualTo(400);
            assertThat(runs(shop)).isEqualTo(2);
        }
    }

    @Test
    void a_token_may_stand_in_a_parameter_where_that_is_allowed() throws Exception {
        try (Running shop = start()) {
            assertThat(post(shop, "/parameter?token=t1", "").statusCode()).isEqualTo(200);
            assertThat(post(shop, "/parameter?token=t1", "").statusCode()).isEqualTo(409);
            assertThat(post(shop, "/usual-parameter?idempotentToken=t1", "").statusCode())
                    .isEqualTo(200);
            assertThat(post(shop, "/usual-parameter?idempotentToken=t1", "").body())
                    .contains("请勿重复提交");
            assertThat(post(shop, "/parameter", "t3").statusCode())
                    .as("the header will do")
                    .isEqualTo(200);
            assertThat(post(shop, "/header?idempotentToken=t1", "").statusCode())
                    .as("not allowed")
                    .isEqualTo(400);
            assertThat(runs(shop)).isEqualTo(3);
        }
    }

    @Test
    void a_token_may_be_an_expression() throws Exception {
        try (Running shop = start()) {
            assertThat(post(shop, "/expression", "").statusCode()).isEqualTo(200);
            assertThat(post(shop, "/expression", "").statusCode()).isEqualTo(409);
            assertThat(runs(shop)).isEqualTo(1);
        }
    }

    @Test
    void what_a_handler_returns_or_takes_is_its_own_affair_while_duplicates_are_refused() throws Exception {
        try (Running shop = start()) {
            assertThat(post(shop, "/any", "t1").body()).isEqualTo("run 1");
            assertThat(post(shop, "/any", "t1").statusCode()).isEqualTo(409);
            assertThat(upload(shop).body()).isEqualTo("run 2");
            assertThat(upload(shop).statusCode()).isEqualTo(409);
        }
    }

    @Test
    void after_a_failure_the_token_may_be_used_again() throws Exception {
        try (Running shop = start()) {
            assertThat(post(shop, "/failing", "t1").statusCode()).isEqualTo(500);
            assertThat(post(shop, "/failing", "t1").statusCode()).isEqualTo(200);
            assertThat(post(shop, "/failing", "t1").statusCode()).isEqualTo(409);
        }
    }

    @Test
    void a_token_is_forgotten_when_its_time_is_over() throws Exception {
        try (Running shop = start("--idempotent.expire-time=1")) {
            assertThat(post(shop, "/usual", "t1").statusCode()).isEqualTo(200);
            Until.holds(() -> quietly(() -> post(shop, "/usual", "t1").statusCode()) == 200);
            assertThat(post(shop, "/header", "t1").statusCode()).isEqualTo(200);
            // what is said once for all has run out by now
            Until.holds(() -> quietly(() -> post(shop, "/usual", "t1").statusCode()) == 200);
            assertThat(post(shop, "/header", "t1").statusCode())
                    .as("the annotation says longer")
                    .isEqualTo(409);
        }
        try (Running shop = start()) {
            assertThat(post(shop, "/brief", "t1").statusCode()).isEqualTo(200);
            Until.holds(() -> quietly(() -> post(shop, "/brief", "t1").statusCode()) == 200);
        }
    }

    @Test
    void with_cached_results_a_duplicate_gets_the_first_answer() throws Exception {
        try (Running shop =
                Running.start(Answering.class, "--onefold.store=memory", "--idempotent.return-cached-result=true")) {
            for (String path : List.of("/header", "/usual", "/void")) {
                HttpResponse<String> first = post(shop, path, "t1");
                HttpResponse<String> second = post(shop, path, "t1");
                assertThat(first.statusCode()).as(path).isEqualTo(200);
                assertThat(second.statusCode()).as(path).isEqualTo(200);
                assertThat(second.body()).as(path).isEqualTo(first.body());
                assertThat(second.headers().firstValue("Idempotent-Replayed"))
                        .as(path)
                        .contains("true");
            }
            assertThat(runs(shop)).isEqualTo(3);
        }
    }

    @Test
    void while_the_first_is_at_work_a_duplicate_is_refused_at_once_with_the_message() throws Exception {
        try (Running shop = start()) {
            CompletableFuture<HttpResponse<String>> first = slow(shop);
            assertThat(post(shop, "/slow", "t1").body()).contains(BUSY).contains("urn:onefold:problem:duplicate");
            shop.bean(Answering.State.class).gate.countDown();
            assertThat(first.get().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void with_cached_results_a_duplicate_waits_as_long_as_it_may_and_hears_the_message_if_in_vain() throws Exception {
        try (Running shop = Running.start(
                Answering.class,
                "--onefold.store=memory",
                "--idempotent.return-cached-result=true",
                "--idempotent.max-retry-count=1",
                "--idempotent.retry-interval-ms=50")) {
            CompletableFuture<HttpResponse<String>> first = slow(shop);
            HttpResponse<String> second = post(shop, "/slow", "t1");
            assertThat(second.statusCode()).isEqualTo(409);
            assertThat(second.body()).contains(BUSY).contains("urn:onefold:problem:in-progress");
            shop.bean(Answering.State.class).gate.countDown();
            assertThat(first.get().statusCode()).isEqualTo(200);
        }
        try (Running shop = Running.start(
                Answering.class,
                "--onefold.store=memory",
                "--idempotent.return-cached-result=true",
                "--idempotent.max-retry-count=200",
                "--idempotent.retry-interval-ms=100")) {
            CompletableFuture<HttpResponse<String>> first = slow(shop);
            CompletableFuture<HttpResponse<String>> second = later(shop, "/slow", "t1");
            shop.bean(Answering.State.class).gate.countDown();
            assertThat(second.get().statusCode()).isEqualTo(200);
            assertThat(second.get().body()).isEqualTo(first.get().body());
            assertThat(runs(shop)).isEqualTo(1);
        }
    }

    private static Running start(String... more) {
        String[] all = new String[more.length + 1];
        all[0] = "--onefold.store=memory";
        System.arraycopy(more, 0, all, 1, more.length);
        return Running.start(Refusing.class, all);
    }

    private static CompletableFuture<HttpResponse<String>> slow(Running shop) throws Exception {
        CompletableFuture<HttpResponse<String>> first = later(shop, "/slow", "t1");
        assertThat(shop.bean(Answering.State.class).started.await(30, TimeUnit.SECONDS))
                .isTrue();
        return first;
    }

    private static HttpResponse<String> post(Running shop, String path, String token) throws Exception {
        return later(shop, path, token).get(30, TimeUnit.SECONDS);
    }

    private static CompletableFuture<HttpResponse<String>> later(Running shop, String path, String token) {
        HttpRequest.Builder request = shop.request(path, "", "{\"orderId\":\"123\"}");
        return shop.client()
                .sendAsync(
                        (token.isEmpty() ? request : request.header(HEADER, token)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> upload(Running shop) throws Exception {
        String body = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhello\r\n--b--\r\n";
        HttpRequest request = shop.request("/upload", "", body)
                .setHeader("Content-Type", "multipart/form-data; boundary=b")
                .header(HEADER, "t1")
                .build();
        return shop.client().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static int runs(Running shop) {
        return shop.bean(Answering.State.class).runs.get();
    }

    private static <V> V quietly(Callable<V> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What such applications answer with. */
    public static class Result {
        public int code;
        public int run;

        static Result success(int run) {
            Result result = new Result();
            result.code = 200;
            result.run = run;
            return result;
        }
    }

    record OrderRequest(String orderId) {}

    @Application
    @Import(Answering.Orders.class)
    static class Answering {
        @Bean
        State state() {
            return new State();
        }

        static class State {
            final AtomicInteger runs = new AtomicInteger();
            final CountDownLatch started = new CountDownLatch(1);
            final CountDownLatch gate = new CountDownLatch(1);
        }

        @RestController
        static class Orders {
            private final State state;

            Orders(State state) {
                this.state = state;
            }

            private Result run() {
                return Result.success(state.runs.incrementAndGet());
            }

            @PostMapping("/header")
            @Idempotent(expireTime = 300, message = BUSY)
            public Result header(@RequestBody OrderRequest request) {
                return run();
            }

            @PostMapping("/usual")
            @Idempotent
            public Result usual(@RequestBody OrderRequest request) {
                return run();
            }

            @PostMapping("/parameter")
            @Idempotent(allowParam = true, paramName = "token")
            public Result parameter() {
                return run();
            }

            @PostMapping("/usual-parameter")
            @Idempotent(allowParam = true)
            public Result usualParameter(@RequestParam String idempotentToken) {
                return run();
            }

            @PostMapping("/expression")
            @Idempotent(tokenExpression = "#request.orderId", expireTime = 300)
            public Result expression(@RequestBody OrderRequest request) {
                return run();
            }

            @PostMapping("/void")
            @Idempotent
            public void nothing() {
                run();
            }

            @PostMapping("/failing")
            @Idempotent
            public Result failing() {
                if (run().run == 1) {
                    throw new IllegalStateException("told to fail");
                }
                return run();
            }

            @PostMapping("/slow")
            @Idempotent(message = BUSY)
            public Result slow(@RequestBody OrderRequest request) throws InterruptedException {
                state.started.countDown();
                if (!state.gate.await(30, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the gate stayed closed");
                }
                return run();
            }
        }
    }

    /** With handlers whose answers could not be told again, or are not known for as long as others would wait. */
    @Application
    @Import({Answering.class, Refusing.More.class})
    static class Refusing {
        @RestController
        static class More {
            private final Answering.State state;

            More(Answering.State state) {
                this.state = state;
            }

            @PostMapping("/brief")
            @Idempotent(expireTime = 1)
            public void brief(@RequestBody OrderRequest request) {
                state.runs.incrementAndGet();
            }

            @PostMapping("/any")
            @Idempotent
            public Object any(@RequestBody OrderRequest request) {
                return "run " + state.runs.incrementAndGet();
            }

            @PostMapping("/upload")
            @Idempotent
            public String upload(@RequestParam MultipartFile file) {
                return "run " + state.runs.incrementAndGet();
            }
        }
    }
}
