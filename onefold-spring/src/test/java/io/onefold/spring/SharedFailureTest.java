package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.AttemptFailedException;
import io.onefold.store.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls that wait for another one which fails: they hear of the failure and run nothing. */
class SharedFailureTest {
    private static final int WAITERS = 5;

    private WaiterCountingStore store = new WaiterCountingStore(new MemoryStore());
    private @Nullable AnnotationConfigApplicationContext context;

    /** The work of all methods: the first run fails as told, once it is let go. */
    static class Work {
        final AtomicInteger runs = new AtomicInteger();
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);
        volatile Throwable failure = new IOException("no");

        String run() throws Exception {
            int run = runs.incrementAndGet();
            started.countDown();
            if (run > 1) {
                return "run " + run;
            }
            if (!gate.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the gate stayed closed");
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        }
    }

    static class Orders {
        private final Work work;

        Orders(Work work) {
            this.work = work;
        }

        @Idempotent(
                key = "#id",
                waitersShareFailure = true,
                waitFor = "30s",
                retryOn = {Exception.class, Error.class})
        public String create(String id) throws Exception {
            return work.run();
        }

        @Idempotent(key = "#id", waitersShareFailure = true, waitFor = "30s", retryOn = Exception.class)
        public CompletableFuture<String> later(String id) {
            return CompletableFuture.supplyAsync(this::unchecked, task -> new Thread(task).start());
        }

        @Idempotent(key = "#id", waitersShareFailure = true, waitFor = "30s", retryOn = Exception.class)
        public Mono<String> mono(String id) {
            return Mono.fromFuture(
                    () -> CompletableFuture.supplyAsync(this::unchecked, task -> new Thread(task).start()));
        }

        @Idempotent(key = "#id", waitersShareFailure = true, waitFor = "30s", retryOn = Exception.class)
        public Flux<String> flux(String id) {
            return mono(id).flux();
        }

        private String unchecked() {
            try {
                return work.run();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        }
    }

    static class Jobs {
        private final Work work;

        Jobs(Work work) {
            this.work = work;
        }

        @Scheduled(cron = "0 0 3 * * *")
        @Idempotent(
                operation = "job",
                key = "'slot'",
                waitersShareFailure = true,
                waitFor = "30s",
                retryOn = Exception.class)
        public void job() throws Exception {
            work.run();
        }
    }

    private <B> B start(Class<B> bean) {
        close();
        store = new WaiterCountingStore(new MemoryStore());
        context = Context.on(store, any -> {}, Work.class, bean);
        return context.getBean(bean);
    }

    private Work work() {
        return Objects.requireNonNull(context).getBean(Work.class);
    }

    /** What those who wait hear, once the first has failed. */
    private List<Throwable> heard(Callable<?> call) throws Exception {
        CompletableFuture<Throwable> first = failing(call);
        assertThat(work().started.await(30, TimeUnit.SECONDS)).isTrue();
        List<CompletableFuture<Throwable>> waiters = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(failing(call));
        }
        store.awaitWaiters(WAITERS);
        work().gate.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS)).isSameAs(work().failure);
        List<Throwable> heard = new ArrayList<>();
        for (CompletableFuture<Throwable> waiter : waiters) {
            heard.add(waiter.get(30, TimeUnit.SECONDS));
        }
        assertThat(work().runs).hasValue(1);
        return heard;
    }

    private static CompletableFuture<Throwable> failing(Callable<?> call) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return new AssertionError("returned " + call.call());
                    } catch (Throwable e) {
                        return e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
                    }
                },
                task -> new Thread(task).start());
    }

    @Test
    void callers_get_the_very_exception_of_the_first_and_a_later_call_runs() throws Exception {
        Orders orders = start(Orders.class);
        assertThat(heard(() -> orders.create("k"))).hasSize(WAITERS).allMatch(why -> why == work().failure);
        assertThat(orders.create("k")).isEqualTo("run 2");
        assertThat(orders.create("k")).isEqualTo("run 2");
    }

    /** An error or an interrupt concerns only the thread that it was thrown on. */
    @Test
    void an_error_or_an_interrupt_of_the_first_is_no_error_or_interrupt_of_others() throws Exception {
        for (Throwable failure : List.of(new StackOverflowError(), new InterruptedException())) {
            Orders orders = start(Orders.class);
            work().failure = failure;
            assertThat(heard(() -> orders.create(failure.toString())))
                    .hasSize(WAITERS)
                    .allSatisfy(why -> assertThat(why)
                            .isInstanceOf(AttemptFailedException.class)
                            .hasCause(failure));
        }
    }

    private static final Map<String, Function<Orders, Object>> ASYNCHRONOUS = Map.of(
            "later", orders -> orders.later("k").join(),
            "mono", orders -> orders.mono("k").toFuture().join(),
            "flux", orders -> orders.flux("k").collectList().toFuture().join());

    @ParameterizedTest
    @ValueSource(strings = {"later", "mono", "flux"})
    void so_do_futures_and_publishers(String method) throws Exception {
        Orders orders = start(Orders.class);
        Function<Orders, Object> call = Objects.requireNonNull(ASYNCHRONOUS.get(method));
        assertThat(heard(() -> call.apply(orders))).hasSize(WAITERS).allMatch(why -> why == work().failure);
        assertThat(call.apply(orders).toString()).contains("run 2");
    }

    @Test
    void a_job_that_waits_for_one_which_fails_has_failed_too() throws Exception {
        Jobs jobs = start(Jobs.class);
        assertThat(heard(() -> {
                    jobs.job();
                    return "done";
                }))
                .hasSize(WAITERS)
                .allMatch(why -> why == work().failure);
    }

    static class Rejecting {
        @Idempotent(key = "#id", waitersShareFailure = true, duplicates = DuplicatePolicy.REJECT)
        public void run(String id) {}
    }

    static class Impatient {
        @Idempotent(key = "#id", waitersShareFailure = true, waitFor = "0s")
        public void run(String id) {}
    }

    static class Overwriting {
        @Idempotent(key = "#id", waitersShareFailure = true, overwrite = true)
        public void run(String id) {}
    }

    @Test
    void sharing_is_refused_where_nobody_waits_or_payloads_overwrite() {
        assertThatThrownBy(() -> Context.inMemory(Rejecting.class))
                .hasStackTraceContaining("Rejecting.run shares failures with waiters (waitersShareFailure), but no"
                        + " duplicate waits: duplicates is REJECT");
        assertThatThrownBy(() -> Context.inMemory(Impatient.class))
                .hasStackTraceContaining("no duplicate waits: waitFor is 0s");
        assertThatThrownBy(() -> Context.inMemory(Overwriting.class)).hasStackTraceContaining("but also overwrites");
    }

    @Test
    void it_may_be_chosen_where_operations_are_configured() {
        OperationSettings shared =
                OperationSettings.NONE.waitersShareFailure(true).waitFor(Duration.ofSeconds(1));
        assertThat(OperationSettings.NONE.over(shared).waitersShareFailure()).isTrue();
        assertThat(OperationSettings.NONE
                        .waitersShareFailure(false)
                        .over(shared)
                        .waitersShareFailure())
                .isFalse();
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
        }
    }
}
