package io.onefold.spring.boot;

import static io.onefold.spring.boot.ReactiveShopTest.REACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import io.onefold.store.TransactionConflictException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** One contract, whoever claims: the filter before the handler, the handler through the filter, or the handler's transaction. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WhoeverClaimsTest {
    private final Running servlet = Running.start(Servlets.class);
    private final Running reactive = Running.start(Flowing.class, REACTIVE, "--onefold.store=memory");

    @AfterAll
    void stop() {
        servlet.close();
        reactive.close();
    }

    private enum Claim {
        EARLY("/early", false),
        LATE("/late", false),
        JOINED("/joined", false),
        REPEATED("/repeated", false),
        FLUX_EARLY("/early", true),
        FLUX_LATE("/late", true);

        private final String path;
        private final boolean flux;

        Claim(String path, boolean flux) {
            this.path = path;
            this.flux = flux;
        }
    }

    /** One order, and what it is to end in. */
    private final class Case {
        private final Claim claim;
        private final String key = UUID.randomUUID().toString();

        Case(Claim claim) {
            this.claim = claim;
        }

        HttpResponse<String> send(String does) throws Exception {
            return send(does, 1);
        }

        HttpResponse<String> send(String does, int quantity) throws Exception {
            return server().post(claim.path, key, body(does, quantity));
        }

        CompletableFuture<HttpResponse<String>> sendLater(String does) {
            return server().postLater(claim.path, key, body(does, 1));
        }

        private Running server() {
            return claim.flux ? reactive : servlet;
        }

        private String body(String does, int quantity) {
            return "{\"id\":\"%s\",\"does\":\"%s\",\"quantity\":%d}".formatted(key, does, quantity);
        }

        int runs() {
            return server().bean(Kitchen.class).runs(key);
        }

        /** The second answer is the first, and nothing has run a second time. */
        void isKept(String does, int status) throws Exception {
            HttpResponse<String> first = send(does);
            assertThat(first.statusCode()).as(first.body()).isEqualTo(status);
            assertThat(isReplay(first)).isFalse();
            assertThat(first.headers().firstValue("Idempotency-Key")).contains(key);
            HttpResponse<String> second = send(does);
            assertThat(second.statusCode()).as(second.body()).isEqualTo(status);
            assertThat(second.body()).isEqualTo(first.body());
            for (String header : List.of("Content-Type", "Location", "Idempotency-Key", "Idempotency-Key-Expires")) {
                assertThat(second.headers().allValues(header))
                        .isEqualTo(first.headers().allValues(header));
            }
            assertThat(isReplay(second)).as(second.body()).isTrue();
            assertThat(runs()).isEqualTo(1);
        }

        /** The second request runs like the first. */
        void isFree(String does, int status) throws Exception {
            for (int run = 1; run <= 2; run++) {
                HttpResponse<String> answer = send(does);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
                assertThat(isReplay(answer)).isFalse();
                assertThat(runs()).isEqualTo(run);
            }
        }
    }

    private static boolean isReplay(HttpResponse<String> answer) {
        return answer.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    static Stream<Arguments> claims() {
        return Stream.of(Claim.values()).map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void a_value_with_its_status_and_headers(Claim claim) throws Exception {
        new Case(claim).isKept("create", 201);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void an_exception_that_a_handler_of_the_application_answers(Claim claim) throws Exception {
        new Case(claim).isKept("conflict", 409);
    }

    /** The transaction of a joined handler commits: that is Spring's rule for checked exceptions. */
    @ParameterizedTest
    @MethodSource("claims")
    void a_checked_exception_whatever_is_answered_to_it(Claim claim) throws Exception {
        new Case(claim).isKept("closed", 409);
        new Case(claim).isKept("jammed", 500);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void an_exception_with_a_status_of_its_own(Claim claim) throws Exception {
        new Case(claim).isKept("gone", 410);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void a_failure_that_is_declared_final_keeps_its_answer(Claim claim) throws Exception {
        new Case(claim).isKept("declined", 402);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void a_failure_that_is_declared_final_keeps_its_answer_though_it_is_an_error(Claim claim) throws Exception {
        new Case(claim).isKept("lost", 502);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void a_failure_that_is_declared_without_effect_leaves_the_key_free(Claim claim) throws Exception {
        new Case(claim).isFree("later", 409);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void too_many_requests_leave_the_key_free(Claim claim) throws Exception {
        new Case(claim).isFree("busy", 429);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void an_exception_that_nobody_answers(Claim claim) throws Exception {
        Case order = new Case(claim);
        if (claim == Claim.JOINED || claim == Claim.REPEATED) {
            order.isFree("break", 500); // it was rolled back
        } else {
            order.isKept("break", 500);
        }
    }

    @ParameterizedTest
    @MethodSource("claims")
    void a_request_that_never_reached_the_handler_may_be_corrected(Claim claim) throws Exception {
        Case order = new Case(claim);
        HttpResponse<String> refused = order.server().post(claim.path, order.key, "{\"id\":\"x\",\"quantity\":[]}");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(order.send("create").statusCode()).isEqualTo(201);
        assertThat(order.runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("claims")
    void a_conflict_names_what_differs(Claim claim) throws Exception {
        Case order = new Case(claim);
        order.send("create");
        HttpResponse<String> conflict = order.send("create", 2);
        assertThat(conflict.statusCode()).isEqualTo(422);
        assertThat(conflict.body()).contains("key-reused").contains("\"body.quantity\"");
    }

    @ParameterizedTest
    @MethodSource("claims")
    void a_duplicate_waits_for_the_first_and_gets_its_answer(Claim claim) throws Exception {
        Case order = new Case(claim);
        Kitchen kitchen = order.server().bean(Kitchen.class);
        Kitchen.Slow slow = kitchen.slow(order.key);
        CompletableFuture<HttpResponse<String>> first = order.sendLater("slow");
        assertThat(slow.begun.await(30, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<HttpResponse<String>> second = order.sendLater("slow");
        slow.end.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        assertThat(second.get(30, TimeUnit.SECONDS).body())
                .isEqualTo(first.get().body());
        assertThat(order.runs()).isEqualTo(1);
    }

    /** Advice around Onefold's may call the handler again: the last call says what became of the request. */
    @ParameterizedTest
    @EnumSource(names = {"EARLY", "LATE", "JOINED"})
    void what_a_call_threw_that_was_repeated_by_advice_leaves_nothing_behind(Claim claim) throws Exception {
        Case order = new Case(claim);
        HttpResponse<String> first = order.send("fail-once");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
        HttpResponse<String> second = order.send("fail-once");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(isReplay(second)).isTrue();
        assertThat(order.runs()).isEqualTo(2);
    }

    @Test
    void a_joined_handler_whose_transaction_was_given_up_runs_again_only_if_it_says_so() throws Exception {
        Case plain = new Case(Claim.JOINED);
        HttpResponse<String> given = plain.send("give-up-once");
        assertThat(given.statusCode()).as(given.body()).isEqualTo(503);
        assertThat(given.headers().firstValue("Retry-After")).isPresent();
        assertThat(plain.runs()).isEqualTo(1);
        assertThat(plain.send("give-up-once").statusCode()).isEqualTo(201);

        Case repeated = new Case(Claim.REPEATED);
        assertThat(repeated.send("give-up-once").statusCode()).isEqualTo(201);
        assertThat(repeated.runs()).isEqualTo(2);
        assertThat(isReplay(repeated.send("give-up-once"))).isTrue();
    }

    @Test
    void a_handler_that_says_whose_its_keys_are_needs_nobody_to_be_authenticated() throws Exception {
        try (Running shop =
                Running.start(Scoped.class, "--onefold.store=memory", "--onefold.http.principal=security")) {
            HttpResponse<String> first = shop.post("/scoped", "k", "\"alice\"");
            assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
            assertThat(isReplay(shop.post("/scoped", "k", "\"alice\""))).isTrue();
            assertThat(shop.post("/scoped", "k", "\"bob\"").body()).isEqualTo("\"bob\"");
        }
    }

    @Application
    @Import(Scoped.Handler.class)
    static class Scoped {
        @RestController
        static class Handler {
            @PostMapping("/scoped")
            @Idempotent(operation = "scoped", scope = "#user")
            public String scoped(@RequestBody String user) {
                return user;
            }
        }
    }

    record Order(String id, String does, int quantity) {}

    record Receipt(String id, int run) {}

    /** What handlers do. */
    static class Kitchen {
        private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
        private final Map<String, Slow> slow = new ConcurrentHashMap<>();

        static final class Slow {
            final CountDownLatch begun = new CountDownLatch(1);
            final CountDownLatch end = new CountDownLatch(1);
        }

        Slow slow(String id) {
            return slow.computeIfAbsent(id, any -> new Slow());
        }

        int runs(String id) {
            return runs.getOrDefault(id, new AtomicInteger()).get();
        }

        ResponseEntity<Receipt> cook(Order order) throws Exception {
            int run =
                    runs.computeIfAbsent(order.id(), id -> new AtomicInteger()).incrementAndGet();
            switch (order.does()) {
                case "conflict" -> throw new SoldOutException();
                case "closed" -> throw new ClosedException(409);
                case "jammed" -> throw new ClosedException(500);
                case "gone" -> throw new ResponseStatusException(HttpStatus.GONE, "gone since yesterday");
                case "declined" -> throw new DeclinedException();
                case "lost" -> throw new LostException();
                case "later" -> throw new LaterException();
                case "give-up-once" -> {
                    if (run == 1) {
                        throw new TransactionConflictException("given up for another", null);
                    }
                }
                case "fail-once" -> {
                    if (run == 1) {
                        throw new LaterException();
                    }
                }
                case "busy" -> throw new ResponseStatusException(HttpStatus.TOO_MANY_REQUESTS);
                case "break" -> throw new IllegalStateException("broken on purpose");
                case "slow" -> {
                    slow(order.id()).begun.countDown();
                    slow(order.id()).end.await(30, TimeUnit.SECONDS);
                }
                default -> {}
            }
            return ResponseEntity.status(201)
                    .header("Location", "/orders/" + order.id())
                    .body(new Receipt(order.id(), run));
        }
    }

    static class SoldOutException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static class ClosedException extends Exception {
        private static final long serialVersionUID = 1;
        private final int status;

        ClosedException(int status) {
            this.status = status;
        }
    }

    static class DeclinedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static class LostException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static class LaterException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @RestControllerAdvice
    static class Answers {
        @ExceptionHandler
        ResponseEntity<String> soldOut(SoldOutException why) {
            return ResponseEntity.status(409).header("Location", "/menu").body("sold out at " + System.nanoTime());
        }

        @ExceptionHandler
        ResponseEntity<String> closed(ClosedException why) {
            return ResponseEntity.status(why.status).body("closed at " + System.nanoTime());
        }

        @ExceptionHandler
        ResponseEntity<String> declined(DeclinedException why) {
            return ResponseEntity.status(402).body("declined at " + System.nanoTime());
        }

        @ExceptionHandler
        ResponseEntity<String> lost(LostException why) {
            return ResponseEntity.status(502).body("lost at " + System.nanoTime());
        }

        @ExceptionHandler
        ResponseEntity<String> later(LaterException why) {
            return ResponseEntity.status(409).body("later");
        }
    }

    @Application
    @Import({Handlers.class, Answers.class, Repeating.class})
    static class Servlets {
        @Bean
        Kitchen kitchen() {
            return new Kitchen();
        }
    }

    /** Repeats calls that say so, outside of Onefold's advice. */
    @Configuration(proxyBeanMethods = false)
    static class Repeating {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor repeats() {
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
                    new ComposablePointcut(new RootClassFilter(Handlers.class)), (MethodInterceptor) Repeating::call);
            advisor.setOrder(0);
            return advisor;
        }

        private static @Nullable Object call(MethodInvocation invocation) throws Throwable {
            Object order =
                    invocation.getArguments().length == 0 ? null : invocation.getArguments()[0];
            if (!(order instanceof Order given && given.does().equals("fail-once"))) {
                return invocation.proceed();
            }
            try {
                return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
            } catch (LaterException e) {
                return invocation.proceed();
            }
        }
    }

    @RestController
    static class Handlers {
        private final Kitchen kitchen;

        Handlers(Kitchen kitchen) {
            this.kitchen = kitchen;
        }

        @PostMapping("/early")
        @Idempotent(
                operation = "early",
                retryOn = LaterException.class,
                failOn = {DeclinedException.class, LostException.class})
        public ResponseEntity<Receipt> early(@RequestBody Order order) throws Exception {
            return kitchen.cook(order);
        }

        @PostMapping("/late")
        @Idempotent(
                operation = "late",
                bizId = "#order.id",
                retryOn = LaterException.class,
                failOn = {DeclinedException.class, LostException.class})
        public ResponseEntity<Receipt> late(@RequestBody Order order) throws Exception {
            return kitchen.cook(order);
        }

        @Transactional
        @PostMapping("/joined")
        @Idempotent(
                operation = "joined",
                retryOn = LaterException.class,
                failOn = {DeclinedException.class, LostException.class})
        public ResponseEntity<Receipt> joined(@RequestBody Order order) throws Exception {
            return kitchen.cook(order);
        }

        @Transactional
        @PostMapping("/repeated")
        @Idempotent(
                operation = "repeated",
                repeatOnConflict = true,
                retryOn = LaterException.class,
                failOn = {DeclinedException.class, LostException.class})
        public ResponseEntity<Receipt> repeated(@RequestBody Order order) throws Exception {
            return kitchen.cook(order);
        }
    }

    @ReactiveApplication
    @Import({FlowingHandlers.class, Answers.class})
    static class Flowing {
        @Bean
        Kitchen kitchen() {
            return new Kitchen();
        }
    }

    @RestController
    static class FlowingHandlers {
        private final Kitchen kitchen;

        FlowingHandlers(Kitchen kitchen) {
            this.kitchen = kitchen;
        }

        @PostMapping("/early")
        @Idempotent(
                operation = "early",
                retryOn = LaterException.class,
                failOn = {DeclinedException.class, LostException.class})
        public Mono<ResponseEntity<Receipt>> early(@RequestBody Order order) {
            return later(() -> kitchen.cook(order));
        }

        @PostMapping("/late")
        @Idempotent(
                operation = "late",
                bizId = "#order.id",
                retryOn = LaterException.class,
                failOn = {DeclinedException.class, LostException.class})
        public Mono<ResponseEntity<Receipt>> late(@RequestBody Order order) {
            return later(() -> kitchen.cook(order));
        }

        private static <T> Mono<T> later(Callable<T> call) {
            return Mono.fromCallable(call).subscribeOn(Schedulers.boundedElastic());
        }
    }
}
