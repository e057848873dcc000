package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.onefold.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long the truth's epoch counts as known, and who reads it. */
@Timeout(60)
class EpochsTest {
    private static final int CALLERS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ManualTimer timer = new ManualTimer();
    private final AtomicInteger readings = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile @Nullable String epoch = "e1";
    private volatile Runnable meanwhile = () -> {};
    private final EpochReader epochs = new EpochReader(this::read, timer::nanos, PATIENCE);

    private String read() {
        readings.incrementAndGet();
        String read = epoch;
        meanwhile.run();
        if (read == null) {
            throw new StoreException("not now");
        }
        return read;
    }

    private void passMillis(long millis) {
        timer.pass(Duration.ofMillis(millis));
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void a_reading_is_never_trusted_for_more_than_a_second() {
        assertThat(epochs.current()).isEqualTo("e1");
        assertThat(readings).hasValue(1);
        epoch = "e2";
        passMillis(499);
        assertThat(epochs.current()).isEqualTo("e1");
        assertThat(readings).hasValue(1);
        passMillis(501);
        assertThat(epochs.current()).isEqualTo("e2");
        assertThat(readings).hasValue(2);
    }

    @Test
    void while_one_reads_ahead_of_time_the_others_go_on() throws Exception {
        passMillis(500);
        Hanging reader = new Hanging(epochs);
        assertThat(epochs.current()).isEqualTo("e1");
        passMillis(499);
        assertThat(epochs.current()).isEqualTo("e1");
        assertThat(readings).hasValue(2);
        reader.release();
    }

    @Test
    void where_no_reading_holds_one_reads_for_all_who_come_meanwhile() throws Exception {
        passMillis(10_000);
        CountDownLatch come = new CountDownLatch(CALLERS);
        meanwhile = () -> await(come);
        List<Future<@Nullable String>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(threads.submit(() -> {
                come.countDown();
                return epochs.current();
            }));
        }
        for (Future<@Nullable String> caller : callers) {
            assertThat(caller.get()).isEqualTo("e1");
        }
        assertThat(readings).hasValue(2);
    }

    @Test
    void a_reader_that_hangs_does_not_hold_the_others_up() throws Exception {
        EpochReader hasty = new EpochReader(this::read, timer::nanos, Duration.ofMillis(1));
        passMillis(1_000);
        Hanging reader = new Hanging(hasty);
        assertThat(hasty.current()).isNull();
        assertThat(readings).as("two when made, one that hangs").hasValue(3);
        reader.release();
        assertThat(hasty.current()).isEqualTo("e1");
    }

    @Test
    void a_reader_that_has_been_away_for_long_is_not_waited_for_again() throws Exception {
        passMillis(1_000);
        Hanging reader = new Hanging(epochs);
        timer.pass(PATIENCE);
        long began = System.nanoTime();
        for (int i = 0; i < CALLERS; i++) {
            epochs.doubt();
            assertThat(epochs.current()).isNull();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(PATIENCE.dividedBy(2));
        assertThat(readings).as("as long as that one may come back").hasValue(2);
        reader.release();
    }

    @Test
    void a_reader_that_is_lost_gives_way_to_another_and_its_word_counts_no_more() throws Exception {
        passMillis(1_000);
        Hanging reader = new Hanging(epochs);
        meanwhile = () -> {};
        timer.pass(EpochReader.LOST.minusMillis(1));
        assertThat(epochs.current()).isNull();
        epoch = "e2";
        passMillis(1);
        assertThat(epochs.current()).isEqualTo("e2");
        assertThat(readings).hasValue(3);
        reader.release();
        assertThat(epochs.current()).isEqualTo("e2");
        assertThat(epochs.latest()).isEqualTo("e2");
        assertThat(epochs.changes()).isEqualTo(1);
    }

    @Test
    void whoever_is_interrupted_goes_without_and_stays_interrupted() throws Exception {
        passMillis(1_000);
        Hanging reader = new Hanging(epochs);
        Thread.currentThread().interrupt();
        assertThat(epochs.current()).isNull();
        assertThat(Thread.interrupted()).isTrue();
        reader.release();
    }

    @Test
    void after_a_failure_of_the_truth_it_is_read_at_once() {
        epoch = "e2";
        epochs.doubt();
        assertThat(epochs.current()).isEqualTo("e2");
        assertThat(readings).hasValue(2);
    }

    @Test
    void what_was_read_before_the_truth_failed_does_not_count_after_it() {
        meanwhile = () -> {
            meanwhile = () -> {};
            epoch = "e2";
            epochs.doubt();
        };
        passMillis(1_000);
        assertThat(epochs.current()).isNull();
        assertThat(epochs.current()).isEqualTo("e2");
    }

    @Test
    void what_took_too_long_to_read_is_too_old() {
        meanwhile = () -> passMillis(1_000);
        passMillis(1_000);
        assertThat(epochs.current()).isNull();
    }

    @Test
    void while_it_cannot_be_read_nobody_knows_it_and_few_ask() {
        try (Heard log = new Heard(EpochReader.class)) {
            epoch = null;
            passMillis(1_000);
            for (int i = 0; i < 100; i++) {
                assertThat(epochs.current()).isNull();
                epochs.doubt();
            }
            assertThat(readings).hasValue(2);
            passMillis(1_000);
            assertThat(epochs.current()).isNull();
            assertThat(epochs.isKnown()).isFalse();
            assertThat(log.levels()).containsExactly(Level.WARN);
            epoch = "e1";
            passMillis(1_000);
            assertThat(epochs.current()).isEqualTo("e1");
            assertThat(epochs.changes()).isZero();
            assertThat(log.levels()).containsExactly(Level.WARN, Level.INFO);
        }
    }

    @Test
    void a_change_is_counted_and_told() {
        try (Heard log = new Heard(EpochReader.class)) {
            passMillis(1_000);
            assertThat(epochs.current()).isEqualTo("e1");
            assertThat(log.levels()).isEmpty();
            epoch = "e2";
            passMillis(1_000);
            assertThat(epochs.current()).isEqualTo("e2");
            assertThat(epochs.current()).isEqualTo("e2");
            assertThat(log.levels()).containsExactly(Level.WARN);
            assertThat(epochs.changes()).isEqualTo(1);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A thread that has begun to read and does not come to an end. */
    private final class Hanging {
        private final CountDownLatch end = new CountDownLatch(1);
        private final Future<?> reader;

        Hanging(EpochReader epochs) {
            CountDownLatch begun = new CountDownLatch(1);
            meanwhile = () -> {
                begun.countDown();
                await(end);
            };
            reader = threads.submit(epochs::current);
            await(begun);
        }

        void release() throws Exception {
            end.countDown();
            reader.get();
        }
    }
}
