package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.onefold.Onefold;
import io.onefold.OperationEvent;
import io.onefold.http.Caller;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.Route;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.store.MemoryStore;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The servlet filter in MockMvc, where requests that wait are asynchronous. */
class MockMvcDuplicatesTest {
    private final OutcomeCounter probe = new OutcomeCounter();
    private final FaultInjectingStore store = FaultInjectingStore.around(new MemoryStore());
    private final AtomicInteger claims = new AtomicInteger();
    private final Onefold onefold = Onefold.builder(store).listener(probe).build();
    private final Shop shop = new Shop();
    private final MockMvc mvc = mvc(contract(HttpProfile.IETF, HttpPolicy.unchanged()));

    @BeforeEach
    void countClaims() {
        store.run(CrashPoint.BEFORE_CLAIM, claims::incrementAndGet).always();
    }

    @Test
    void duplicates_that_wait_are_replayed() {
        shop.holdUntil(() -> waiting(4));

        DuplicateCalls.of(mvc, order("k").content("book"))
                .times(5)
                .counting(probe)
                .concurrently()
                .ranOnce()
                .replayed(4)
                .sameAnswer();

        probe.operation("POST /orders").ranOnce().replayed(4);
    }

    @Test
    void one_by_one_they_are_replayed_too() {
        CallResults replies = DuplicateCalls.of(mvc, order("k").content("book"))
                .times(3)
                .oneByOne()
                .ranOnce()
                .replayed(2)
                .sameAnswer();

        assertThat(replies.list().get(0)).hasToString("201 RAN  order 1: book");
        assertThat(replies.list().get(2)).hasToString("201 REPLAYED  order 1: book");
    }

    @Test
    void handlers_that_are_asynchronous_themselves_are_dispatched() {
        DuplicateCalls.of(
                        mvc, post("/later").header("Idempotency-Key", key("k")).content("book"))
                .times(5)
                .counting(shop.orders::get)
                .concurrently()
                .ranOnce()
                .replayed(4)
                .sameAnswer();
    }

    @Test
    void one_that_waited_gets_its_turn_when_the_first_was_not_carried_out() {
        MockMvc retrying = mvc(contract(HttpProfile.IETF, HttpPolicy.unchanged().neverStore(503)));
        shop.unavailable.set(1);
        shop.holdUntil(() -> waiting(2));

        CallResults replies = DuplicateCalls.of(retrying, order("k").content("book"))
                .times(3)
                .counting(shop.orders::get)
                .concurrently()
                .replayed(1);

        assertThat(replies.list()).extracting(CallResult::status).containsExactlyInAnyOrder(503, 201, 201);
        assertThat(shop.orders).hasValue(1);
    }

    @Test
    void another_body_under_the_same_key_is_a_conflict() {
        DuplicateCalls.of(mvc, order("k").content("book")).times(1).oneByOne().ranOnce();

        DuplicateCalls.of(mvc, order("k").content("pencil"))
                .times(3)
                .concurrently()
                .ran(0)
                .conflicts(3);
    }

    @Test
    void those_that_may_not_wait_are_told_that_one_is_at_work() {
        MockMvc hasty = mvc(contract(HttpProfile.IETF, HttpPolicy.unchanged().waitFor(Duration.ZERO)));
        shop.holdUntil(() -> probe.all().count(OperationEvent.Kind.BUSY) == 2);

        DuplicateCalls.of(hasty, order("k").content("book"))
                .times(3)
                .concurrently()
                .ranOnce()
                .busy(2);
    }

    @Test
    void those_without_a_key_are_refused() {
        MockMvc strict = mvc(contract(HttpProfile.IETF, HttpPolicy.unchanged().required(true)));

        DuplicateCalls.of(strict, post("/orders").content("book"))
                .times(2)
                .oneByOne()
                .ran(0)
                .refused(2);
    }

    @Test
    void another_marker_of_replays_is_understood_if_it_is_said() {
        MockMvc other =
                mvc(HttpContract.builder(onefold).replayMarker("Replayed").build());

        DuplicateCalls.of(other, order("k"))
                .replayMarker("Replayed")
                .times(3)
                .oneByOne()
                .ranOnce()
                .replayed(2);
        DuplicateCalls.of(other, order("k")).times(2).oneByOne().replayed(0);
    }

    @Test
    void other_profiles_are_understood() {
        for (HttpProfile profile : new HttpProfile[] {HttpProfile.STRIPE, HttpProfile.AZURE}) {
            MockMvc other = mvc(contract(profile, HttpPolicy.unchanged().waitFor(Duration.ZERO)));
            String header = profile == HttpProfile.AZURE ? "Repeatability-Request-ID" : "Idempotency-Key";
            String key = UUID.randomUUID().toString();
            MockHttpServletRequestBuilder first =
                    post("/orders").header(header, key).header("Repeatability-First-Sent", now());

            probe.reset();
            shop.holdUntil(() -> probe.all().count(OperationEvent.Kind.BUSY) == 1);
            DuplicateCalls.of(other, first.content("book"))
                    .times(2)
                    .concurrently()
                    .ranOnce()
                    .busy(1);
            DuplicateCalls.of(
                            other,
                            post("/orders")
                                    .header(header, key)
                                    .header("Repeatability-First-Sent", now())
                                    .content("pencil"))
                    .times(2)
                    .oneByOne()
                    .conflicts(2);
        }
    }

    @Test
    void without_onefold_each_runs_and_the_message_says_so() {
        MockMvc bare = MockMvcBuilders.standaloneSetup(shop).build();

        assertThatThrownBy(() -> DuplicateCalls.of(bare, order("k").content("book"))
                        .times(2)
                        .oneByOne()
                        .ranOnce()
                        .replayed(1))
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        expected 1 of 2 to run, but 2 were
                          1. 201 RAN  order 1: book
                          2. 201 RAN  order 2: book""");
    }

    @Test
    void what_belongs_to_all_requests_is_added_to_each_once_on_the_thread_of_the_test() {
        Thread test = Thread.currentThread();
        AtomicInteger processed = new AtomicInteger();
        MockMvc withDefaults = MockMvcBuilders.standaloneSetup(shop)
                .addFilters(new IdempotencyFilter(
                        contract(HttpProfile.IETF, HttpPolicy.unchanged().required(true)),
                        request -> Caller.of(String.valueOf(request.getAttribute("user")))))
                .defaultRequest(
                        post("/").header("Idempotency-Key", key("default")).with((MockHttpServletRequest request) -> {
                            assertThat(Thread.currentThread()).isSameAs(test);
                            processed.incrementAndGet();
                            request.setAttribute("user", "alice");
                            return request;
                        }))
                .build();

        DuplicateCalls.of(withDefaults, post("/orders").content("book"))
                .times(4)
                .concurrently()
                .ranOnce()
                .replayed(3);
        assertThat(processed).hasValue(4);
    }

    @Test
    void a_request_that_cannot_be_built_is_an_error_of_the_test() {
        assertThatThrownBy(() -> DuplicateCalls.of(mvc, context -> {
                            throw new IllegalArgumentException("no such file");
                        })
                        .concurrently())
                .hasMessage("the request could not be built")
                .hasRootCauseMessage("no such file");
    }

    @Test
    void one_that_is_never_answered_is_late() {
        assertThatThrownBy(() -> DuplicateCalls.of(mvc, post("/never"))
                        .times(2)
                        .within(Duration.ofMillis(200))
                        .concurrently())
                .hasMessageContaining("2 of 2 had no answer within PT0.2S");
        assertThatThrownBy(() -> DuplicateCalls.of(mvc, post("/never"))
                        .times(1)
                        .within(Duration.ofMillis(100))
                        .oneByOne())
                .hasMessageContaining("1 of 1 had no answer");
    }

    /** Each who waits has claimed before it entered the queue, and once more after it. */
    private boolean waiting(int others) {
        return claims.get() >= 1 + 2 * others;
    }

    private static MockHttpServletRequestBuilder order(String key) {
        return post("/orders").header("Idempotency-Key", key(key));
    }

    private static String key(String name) {
        return "\"" + name + "-9f3c2a61-7d0e-4d0c\"";
    }

    private static String now() {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    }

    private HttpContract contract(HttpProfile profile, HttpPolicy policy) {
        return HttpContract.builder(onefold)
                .profile(profile)
                .defaults(policy)
                .route(Route.of("POST", "/orders"))
                .route(Route.of("POST", "/later"))
                .build();
    }

    private MockMvc mvc(HttpContract contract) {
        return MockMvcBuilders.standaloneSetup(shop)
                .addFilters(new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS))
                .build();
    }

    @RestController
    static final class Shop {
        final AtomicInteger orders = new AtomicInteger();
        final AtomicInteger unavailable = new AtomicInteger();
        private volatile BooleanSupplier ready = () -> true;

        void holdUntil(BooleanSupplier condition) {
            ready = condition;
        }

        @PostMapping("/orders")
        ResponseEntity<String> order(@RequestBody String what) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while (!ready.getAsBoolean()) {
                assertThat(System.nanoTime()).as("the duplicates come in time").isLessThan(end);
                LockSupport.parkNanos(1_000_000);
            }
            if (unavailable.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return ResponseEntity.status(503).body("try again");
            }
            return ResponseEntity.status(201).body("order " + orders.incrementAndGet() + ": " + what);
        }

        @PostMapping("/later")
        CompletableFuture<String> later(@RequestBody String what) {
            return CompletableFuture.supplyAsync(
                    () -> "order " + orders.incrementAndGet() + ": " + what,
                    CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));
        }

        @PostMapping("/never")
        CompletableFuture<String> never() {
            return new CompletableFuture<>();
        }
    }
}
