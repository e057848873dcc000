package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.Onefold;
import io.onefold.store.BatchItemResult;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

class ScheduledTest {
    private static final long PATIENCE_SECONDS = 40;

    /** Less than a slot: who is at work for a whole one misses the next, and two such would never meet. */
    private static final long WORK_MILLIS = 500;

    @Test
    void two_nodes_run_each_slot_once_and_leave_the_other_alone_quietly() throws InterruptedException {
        Seen seen = new Seen();
        Store store = seen.watched(new MemoryStore());
        try (AnnotationConfigApplicationContext one = node(store, seen);
                AnnotationConfigApplicationContext other = node(store, seen)) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (seen.fired.get() < 6 || seen.slots.size() < 3 || seen.met() == 0) {
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

    @Test
    void nodes_whose_clocks_differ_run_each_planned_time_once() throws InterruptedException {
        Seen seen = new Seen();
        MemoryStore store = new MemoryStore();
        try (AnnotationConfigApplicationContext one = node(store, seen, Duration.ZERO);
                AnnotationConfigApplicationContext behind = node(store, seen, Duration.ofMillis(-2_600));
                AnnotationConfigApplicationContext ahead = node(store, seen, Duration.ofMillis(450))) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (seen.fired.get() < 18 || seen.slots.size() < 4) {
                assertThat(System.nanoTime()).as("jobs run").isLessThan(deadline);
                Thread.sleep(10);
            }
            assertThat(List.of(one, behind, ahead)).allMatch(AnnotationConfigApplicationContext::isActive);
        }
        assertThat(new ArrayList<>(seen.slots)).doesNotHaveDuplicates();
        assertThat(seen.errors).isEmpty();
    }

    @Test
    void a_keep_that_a_late_node_may_miss_is_warned_of_at_the_start() {
        assertThat(warnings(BriefJob.class))
                .singleElement()
                .asString()
                .contains("BriefJob.run: keep PT10M is shorter than the time between two planned times, PT1H")
                .contains("runs that planned time again");
    }

    @Test
    void a_keep_until_the_next_planned_time_is_long_enough() {
        assertThat(warnings(LastingJob.class)).isEmpty();
    }

    private static List<String> warnings(Class<?> job) {
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(IdempotentMethod.class);
        told.start();
        logger.addAppender(told);
        logger.setLevel(Level.WARN);
        try {
            start(job);
        } finally {
            logger.setLevel(null);
            logger.detachAppender(told);
        }
        return told.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static void start(Class<?> job) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(Onefold.class, () -> Onefold.on(new MemoryStore()));
        context.register(Application.class, job);
        context.refresh();
        context.close();
    }

    static class BriefJob {
        @Scheduled(cron = "0 0 * * * *")
        @Idempotent(operation = "brief", keep = "10m")
        public void run() {}
    }

    static class LastingJob {
        @Scheduled(cron = "0 0 * * * *")
        @Idempotent(operation = "lasting", keep = "1h")
        public void run() {}

        /** Whoever says a key knows for how long it is to be kept. */
        @Scheduled(fixedRate = 3_600_000)
        @Idempotent(operation = "keyed", key = "'daily'", keep = "10m")
        public void keyed() {}
    }

    private static AnnotationConfigApplicationContext node(Store store, Seen seen) {
        return node(store, seen, Duration.ZERO);
    }

    private static AnnotationConfigApplicationContext node(Store store, Seen seen, Duration ahead) {
        Clock clock = Clock.offset(Clock.system(ZoneId.systemDefault()), ahead);
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(Clock.class, () -> clock);
        context.registerBean(Onefold.class, () -> Onefold.on(store));
        context.registerBean(Seen.class, () -> seen);
        context.registerBean(ThreadPoolTaskScheduler.class, () -> {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setClock(clock);
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
            // it is under way until the other node comes, unless that has missed this slot
            seen.awaitMet(WORK_MILLIS);
        }
    }

    static final class Seen {
        final List<String> slots = new CopyOnWriteArrayList<>();
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        final AtomicInteger fired = new AtomicInteger();
        private int met;

        /** Who finds the record of a job is noticed. */
        Store watched(Store store) {
            return (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                        Object returned = method.invoke(store, arguments);
                        if (returned instanceof io.onefold.store.RecordSnapshot
                                || (returned instanceof List<?> answers
                                        && answers.stream()
                                                .anyMatch(answer -> answer instanceof BatchItemResult<?> one
                                                        && one.get() instanceof io.onefold.store.RecordSnapshot))) {
                            meet();
                        }
                        return returned;
                    });
        }

        private synchronized void meet() {
            met++;
            notifyAll();
        }

        synchronized int met() {
            return met;
        }

        synchronized void awaitMet(long millis) throws InterruptedException {
            int before = met;
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            while (met == before && System.nanoTime() < end) {
                TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
            }
        }
    }
}
