package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.client.AttemptTaskDecorator;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Calls inside of calls, on the same thread and on others. */
class NestingTest {
    private static final TaskDecorator CARRYING = new AttemptTaskDecorator();

    private final AnnotationConfigApplicationContext context = Context.inMemory(Jobs.class);
    private final Jobs jobs = context.getBean(Jobs.class);
    private final AtomicReference<Runnable> later = new AtomicReference<>(() -> {});

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void a_task_that_outlives_its_attempt_is_a_duplicate_like_any_other() {
        AtomicReference<@Nullable Runnable> left = new AtomicReference<>();
        AtomicReference<@Nullable String> told = new AtomicReference<>();
        assertThat(jobs.settle("k", () -> left.set(CARRYING.decorate(() -> told.set(jobs.settle("k", () -> {}))))))
                .isEqualTo("run 1");
        Objects.requireNonNull(left.get()).run();
        assertThat(told).hasValue("run 1");
        assertThat(jobs.runs()).hasValue(1);
    }

    @Test
    void a_task_that_outlives_its_attempt_still_makes_its_child_keys() {
        AtomicReference<@Nullable Runnable> left = new AtomicReference<>();
        AtomicReference<@Nullable String> inside = new AtomicReference<>();
        AtomicReference<@Nullable String> after = new AtomicReference<>();
        jobs.settle("k", () -> {
            inside.set(Objects.requireNonNull(CurrentAttempt.get()).childKey("psp"));
            left.set(CARRYING.decorate(
                    () -> after.set(Objects.requireNonNull(CurrentAttempt.get()).childKey("psp"))));
        });
        Objects.requireNonNull(left.get()).run();
        assertThat(after.get()).isNotNull().isEqualTo(inside.get());
    }

    @Test
    void tasks_that_begin_tasks_hold_none_of_those_that_are_over() {
        AtomicReference<@Nullable Runnable> next = new AtomicReference<>();
        AtomicInteger deepest = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            String key = "k" + i;
            Runnable step = () -> jobs.settle(key, () -> {
                int depth = 0;
                for (CurrentAttempt.AttemptBinding held = CurrentAttempt.held(); held != null; held = held.outer()) {
                    depth++;
                }
                deepest.accumulateAndGet(depth, Math::max);
                next.set(CurrentAttempt.carriedBy(
                        () -> Objects.requireNonNull(later.get()).run()));
            });
            later.set(step);
            Runnable carried = next.get();
            (carried == null ? step : carried).run();
        }
        assertThat(deepest).hasValue(1);
    }

    @Test
    void a_task_that_outlives_a_failed_attempt_is_no_part_of_it_either() {
        AtomicReference<@Nullable Runnable> left = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> told = new AtomicReference<>();
        try {
            jobs.settle("k", () -> {
                left.set(CARRYING.decorate(() -> {
                    try {
                        jobs.settle("k", () -> {});
                    } catch (RuntimeException e) {
                        told.set(e);
                    }
                }));
                throw new IllegalStateException("who knows");
            });
        } catch (IllegalStateException expected) {
            // its outcome is unknown now
        }
        Objects.requireNonNull(left.get()).run();
        assertThat(told.get()).isNotNull();
        assertThat(jobs.runs()).hasValue(0);
    }

    @Test
    void a_task_that_its_attempt_waits_for_is_part_of_it_however_deep() throws Exception {
        assertThat(jobs.outer("k", 2)).isEqualTo("outer inner outer inner outer");
        assertThat(jobs.outer("k", 2)).isEqualTo("outer inner outer inner outer");
        assertThat(jobs.runs()).hasValue(3);
    }

    @Test
    void subscriptions_inside_are_part_of_the_call_however_deep() {
        assertThat(jobs.mono("k", 2).block(Duration.ofSeconds(10))).isEqualTo("mono two mono two mono");
        assertThat(jobs.mono("k", 2).block(Duration.ofSeconds(10))).isEqualTo("mono two mono two mono");
        assertThat(jobs.runs()).hasValue(3);
    }

    @Test
    void a_subscription_that_outlives_the_call_is_a_duplicate() {
        AtomicReference<@Nullable Mono<String>> left = new AtomicReference<>();
        assertThat(jobs.leaving("k", left).block(Duration.ofSeconds(10))).isEqualTo("run 1");
        assertThat(Objects.requireNonNull(left.get()).block(Duration.ofSeconds(10)))
                .isEqualTo("run 1");
        assertThat(jobs.runs()).hasValue(1);
    }

    @Test
    void a_task_of_a_future_that_is_not_there_yet_is_part_of_it() throws Exception {
        assertThat(jobs.future("k", true).get(10, TimeUnit.SECONDS)).isEqualTo("future future");
        assertThat(jobs.runs()).hasValue(2);
    }

    static class Jobs {
        private final AtomicInteger runs = new AtomicInteger();
        private final ObjectProvider<Jobs> self;
        private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor();

        Jobs(ObjectProvider<Jobs> self) {
            this.self = self;
            threads.setTaskDecorator(CARRYING);
        }

        public AtomicInteger runs() {
            return runs;
        }

        @Idempotent(operation = "settle", key = "#id", matching = "''")
        public String settle(String id, Runnable inside) {
            inside.run();
            return "run " + runs.incrementAndGet();
        }

        @Idempotent(operation = "outer", key = "#id", matching = "''")
        public String outer(String id, int left) throws Exception {
            runs.incrementAndGet();
            return left == 0
                    ? "outer"
                    : "outer "
                            + threads.submit(() -> self.getObject().inner(id, left))
                                    .get(10, TimeUnit.SECONDS);
        }

        @Idempotent(operation = "inner", key = "#id", matching = "''", waitFor = "0s")
        public String inner(String id, int left) throws Exception {
            return "inner "
                    + threads.submit(() -> self.getObject().outer(id, left - 1)).get(10, TimeUnit.SECONDS);
        }

        @Idempotent(operation = "mono", key = "#id", matching = "''", waitFor = "0s")
        public Mono<String> mono(String id, int left) {
            return Mono.defer(() -> {
                        runs.incrementAndGet();
                        return left == 0 ? Mono.just("") : self.getObject().two(id, left);
                    })
                    .map(more -> more.isEmpty() ? "mono" : "mono " + more);
        }

        @Idempotent(operation = "two", key = "#id", matching = "''", waitFor = "0s")
        public Mono<String> two(String id, int left) {
            return Mono.delay(Duration.ofMillis(1), Schedulers.parallel())
                    .then(Mono.defer(() -> self.getObject().mono(id, left - 1)))
                    .map(more -> "two " + more);
        }

        @Idempotent(operation = "leaving", key = "#id", matching = "''", waitFor = "0s")
        public Mono<String> leaving(String id, AtomicReference<@Nullable Mono<String>> left) {
            return Mono.deferContextual(within -> {
                left.set(self.getObject().leaving(id, left).contextWrite(outer -> outer.putAll(within)));
                return Mono.just("run " + runs.incrementAndGet());
            });
        }

        @Idempotent(operation = "future", key = "#id", matching = "''", waitFor = "0s")
        public CompletableFuture<String> future(String id, boolean more) {
            runs.incrementAndGet();
            return more
                    ? threads.submitCompletable(
                                    () -> self.getObject().future(id, false).join())
                            .thenApply(inside -> "future " + inside)
                    : CompletableFuture.completedFuture("future");
        }
    }
}
