package io.onefold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class IdsTest {
    private static final long TIME = 0x017F22E279B0L;

    private final Deque<Long> randoms = new ArrayDeque<>();
    private long now = TIME;

    private final TimeOrderedIds ids = new TimeOrderedIds(() -> now, randoms::remove);

    @Test
    void an_id_is_the_example_of_the_rfc_for_its_time_and_random_bits() {
        randoms.add(0xCC3L << 52);
        randoms.add(0x18C4DC0C0C07398FL << 2);

        assertThat(ids.make()).hasToString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    }

    @Test
    void all_random_bits_are_used_and_none_of_the_others() {
        randoms.addAll(List.of(-1L, -1L));
        assertThat(ids.make()).hasToString("017f22e2-79b0-7fff-bfff-ffffffffffff");

        now++;
        randoms.addAll(List.of(0L, 0L));
        assertThat(ids.make()).hasToString("017f22e2-79b1-7000-8000-000000000000");
    }

    @Test
    void in_the_same_millisecond_the_random_part_grows_by_at_least_one() {
        randoms.addAll(List.of(0L, 0L, 0L, -1L));

        assertThat(ids.make()).hasToString("017f22e2-79b0-7000-8000-000000000000");
        assertThat(ids.make()).hasToString("017f22e2-79b0-7000-8000-000000000001");
        assertThat(ids.make()).hasToString("017f22e2-79b0-7000-8000-000100000001");
    }

    @Test
    void a_random_part_that_runs_over_carries_into_the_higher_bits_and_then_into_the_time() {
        randoms.addAll(List.of(0L, -1L, 0L));
        ids.make();
        assertThat(ids.make()).hasToString("017f22e2-79b0-7001-8000-000000000000");

        now++;
        randoms.addAll(List.of(-1L, -1L, 0L));
        ids.make();
        assertThat(ids.make()).hasToString("017f22e2-79b2-7000-8000-000000000000");
    }

    @Test
    void a_clock_that_goes_back_does_not_turn_the_order() {
        Random seeded = new Random(7);
        TimeOrderedIds wavering = new TimeOrderedIds(() -> TIME + seeded.nextInt(-5000, 5000), seeded::nextLong);

        assertThat(made(wavering, 10_000)).isSortedAccordingTo(strictly());
    }

    @Test
    void the_order_of_ids_is_that_of_their_texts() {
        Random seeded = new Random(8);
        TimeOrderedIds some = new TimeOrderedIds(() -> TIME + seeded.nextInt(3), seeded::nextLong);

        assertThat(made(some, 10_000).stream().map(UUID::toString).toList())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void an_id_is_of_version_7_and_tells_when_it_was_made() {
        Instant before = Instant.now().minusMillis(1);
        UUID id = TimeOrderedIds.next();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        // the process's clock is read between these two, and a carry is less likely than 2^-40
        assertThat(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16))
                .isBetween(before, Instant.now().plusMillis(1));
    }

    @Test
    void many_threads_get_ids_of_their_own_each_in_order() throws Exception {
        int threads = 8;
        int each = 20_000;
        CyclicBarrier together = new CyclicBarrier(threads);
        Callable<List<UUID>> making = () -> {
            together.await();
            List<UUID> made = new ArrayList<>(each);
            for (int i = 0; i < each; i++) {
                made.add(TimeOrderedIds.next());
            }
            return made;
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<UUID> all = new ArrayList<>();
            for (Future<List<UUID>> one : pool.invokeAll(Collections.nCopies(threads, making))) {
                assertThat(one.get()).isSortedAccordingTo(strictly());
                all.addAll(one.get());
            }
            assertThat(all).hasSize(threads * each).doesNotHaveDuplicates();
        } finally {
            pool.shutdownNow();
        }
    }

    private static List<UUID> made(TimeOrderedIds ids, int count) {
        List<UUID> made = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            made.add(ids.make());
        }
        return made;
    }

    /** Takes equal ids for out of order. */
    private static Comparator<UUID> strictly() {
        return (a, b) -> a.compareTo(b) < 0 ? -1 : 1;
    }
}
