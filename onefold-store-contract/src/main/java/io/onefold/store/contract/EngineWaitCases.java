package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Duplicates of what is under way. */
abstract class EngineWaitCases extends EngineCases {
    EngineWaitCases(StoreContract contract) {
        super(contract);
    }

    @Test
    void a_duplicate_of_what_is_under_way_is_told_so_and_never_gets_an_empty_result() throws Exception {
        Key key = key();
        RunningCall owner = begin(operation(), key);
        Outcome<String> duplicate = engine().attempt(operation().waitFor(Duration.ZERO), key, never());
        assertThat(duplicate).isInstanceOf(Outcome.InProgress.class);
        executed(owner.end(), "from attempt 1");
    }

    @Test
    @Tag("invariant-3")
    void a_waiter_that_gives_up_leaves_the_owners_record_alone() throws Exception {
        Operation<String> operation = operation().waitFor(Duration.ofMillis(60));
        String key = "key-" + name;
        RunningCall owner = begin(operation, Key.of(key));
        StoredRecord before = Objects.requireNonNull(record(key));
        assertThat(engine().attempt(operation, Key.of(key), never())).isInstanceOf(Outcome.InProgress.class);
        assertThat(RecordImage.of(Objects.requireNonNull(record(key)))).isEqualTo(RecordImage.of(before));
        executed(owner.end(), "from attempt 1");
        assertThat(status(key)).isEqualTo(Status.SUCCESS);
        replays(engine().attempt(operation, Key.of(key), never()), "from attempt 1");
    }

    @Test
    @Tag("invariant-18")
    void waiters_are_bounded_for_each_key() throws Exception {
        EngineCaller bounded = engine(store(), builder -> builder.waiters(2, 10));
        Operation<String> operation = operation().waitFor(Duration.ofSeconds(30));
        Key key = key();
        RunningCall owner = begin(bounded, operation, key);
        List<RunningCall> waiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiters.add(new RunningCall(bounded, operation, key));
        }
        eventually(
                "four are turned away",
                () -> waiters.stream().filter(RunningCall::answered).count() == 4);
        executed(owner.end(), "from attempt 1");
        int replayed = 0;
        for (RunningCall waiter : waiters) {
            replayed += waiter.answer() instanceof Outcome.Replayed ? 1 : 0;
        }
        assertThat(replayed).isEqualTo(2);
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_waiter_runs_when_the_owner_releases() throws Exception {
        Operation<String> operation =
                operation().waitFor(Duration.ofSeconds(30)).retryOn(IllegalStateException.class);
        Key key = key();
        ConcurrentTasks.run(List.of(
                () -> tolerant(operation, key), () -> tolerant(operation, key), () -> tolerant(operation, key)));
        replays(engine().attempt(operation, key, never()), "second time");
        assertThat(runs).hasValue(2);
    }

    private boolean tolerant(Operation<String> operation, Key key) throws Exception {
        try {
            engine().attempt(operation, key, attempt -> {
                if (runs.incrementAndGet() == 1) {
                    throw new IllegalStateException("first time");
                }
                return "second time";
            });
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
