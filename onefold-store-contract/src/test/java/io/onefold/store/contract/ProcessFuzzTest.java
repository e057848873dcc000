package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.BrokenStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProcessFuzzTest {
    @TempDir
    Path dir;

    @Test
    void processes_that_count_under_a_claim_lose_no_count_even_if_some_are_killed() throws Exception {
        ProcessFuzz.FuzzCount count = count(new MemoryStore(), 1);
        assertThat(count.exact()).as("%s", count).isTrue();
        assertThat(count.logged()).as("%s", count).isGreaterThanOrEqualTo(2 * 150);
    }

    @Test
    void a_store_that_lets_two_in_loses_counts() throws Exception {
        AtomicLong clock = new AtomicLong(1);
        ProcessFuzz.FuzzCount count = count(BrokenStore.LETS_ANYBODY_IN.open(clock::incrementAndGet), 0);
        assertThat(count.exact()).as("%s", count).isFalse();
    }

    private ProcessFuzz.FuzzCount count(Store store, int kills) throws Exception {
        try (ServerSocket server = RemoteStore.serve(store)) {
            String port = Integer.toString(server.getLocalPort());
            return ProcessFuzz.run(store, RemoteStore.Opening.class, port, dir, 3, kills, 150, 42);
        }
    }
}
