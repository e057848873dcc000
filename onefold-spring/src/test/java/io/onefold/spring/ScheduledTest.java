package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

class ScheduledTest {
    private static final long PATIENCE_SECONDS = 40;

    @Test
    void two_nodes_run_each_slot_once_and_leave_the_other_alone_quietly() throws InterruptedException {
        Store store = new MemoryStore();
        Seen seen = new Seen();
        try (AnnotationConfigApplicationContext one = node(store, seen);
                AnnotationConfigApplicationContext other = node(store, seen)) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (seen.fired.get() < 6 || seen.slots.size() < 3) {
                assertThat(System.nanoTime()).as("jobs run").isLessThan(deadline);
                Thread.sleep(10);
            }
            assertThat(List.of(one, other)).allMatch(AnnotationConfigApplicationContext::isActive);
        }
        List<String> slots = new ArrayList<>(seen.slots);

        assertThat(slots).doesNotHaveDuplicates();
        assertThat(seen.fired.get()).as("both nodes fire").isGreaterThan(slots.size());
        assertThat(seen.errors).isEmpty();
    }

    private static AnnotationConfigApplicationContext node(Store store, Seen seen) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(Onefold.class, () -> Onefold.on(store));
        context.registerBean(Seen.class, () -> seen);
        context.registerBean(ThreadPoolTaskScheduler.class, () -> {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setTaskDecorator(task -> () -> {
                seen.fired.incrementAndGet();
                task.run();
            });
            scheduler.setErrorHandler(seen.errors::add);
            return scheduler;
        });
        context.register(Application.class, Job.class);
        context.refresh();
        return context;
    }

    @EnableIdempotent
    @EnableScheduling
    static class Application {}

    static class Job {
        private final Seen seen;

        Job(Seen seen) {
            this.seen = seen;
        }

        /** Its key is its slot. */
        @Scheduled(cron = "* * * * * *")
        @Idempotent(operation = "nightly")
        public void run() throws InterruptedException {
            seen.slots.add(Objects.requireNonNull(CurrentAttempt.get()).safeKey());
            // long enough for the other node to come meanwhile
            Thread.sleep(100);
        }
    }

    static final class Seen {
        final List<String> slots = new CopyOnWriteArrayList<>();
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final AtomicInteger fired = new AtomicInteger();
    }
}
