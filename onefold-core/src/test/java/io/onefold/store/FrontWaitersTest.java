package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.ManualTimer;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Calls that wait behind a front, where a mark stands for an attempt: they hear of the failure of that attempt alone. */
class FrontWaitersTest {
    private static final Operation<String> CHARGE = Operation.of("charge", String.class)
            .retryOn(IllegalStateException.class)
            .waitFor(Duration.ofMinutes(1))
            .waitersShareFailure();
    private static final Key KEY = Key.of("k");
    private static final Duration MARK = Duration.ofSeconds(5);

    private final ManualTimer timer = new ManualTimer();
    private final Store front = new MemoryStore(timer::micros);
    private final Store truth = new MemoryStore(timer::micros);
    private final Onefold one = node(TieredStore.over(front, truth, () -> "e1", timer::nanos));
    private final Onefold other = node(TieredStore.over(front, truth, () -> "e1", timer::nanos));

    private Onefold node(Store store) {
        return Onefold.builder(store).timer(timer).executor(Runnable::run).build();
    }

    private CompletableFuture<Outcome<String>> call(Onefold node, CompletableFuture<String> work) {
        return node.attemptAsync(CHARGE, KEY, attempt -> work);
    }

    private static CompletableFuture<String> failed() {
        return CompletableFuture.failedFuture(new IllegalStateException("not now"));
    }

    @Test
    void a_failure_from_before_the_call_is_not_that_of_the_mark_it_waits_for() {
        assertThatThrownBy(call(node(truth), failed())::join).hasRootCauseMessage("not now");
        // a claimant that leaves its mark, and is gone before it asks the truth
        RecordId id = one.id(CHARGE, KEY);
        assertThat(front.claim(Claim.of(id, UUID.randomUUID(), MARK).mark(id.at("e1"), MARK, null)))
                .isInstanceOf(ClaimResult.Acquired.class);
        CompletableFuture<Outcome<String>> waiting = call(one, CompletableFuture.completedFuture("done"));
        assertThat(waiting).isNotDone();
        timer.pass(MARK.plusSeconds(5));
        assertThat(waiting).isCompletedWithValue(new Outcome.Executed<>("done", true));
    }

    @Test
    void the_failure_of_an_attempt_that_only_its_mark_tells_of_is_heard() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Outcome<String>> owner = call(one, work);
        CompletableFuture<Outcome<String>> waiting = call(other, CompletableFuture.completedFuture("done"));
        assertThat(waiting).isNotDone();
        work.completeExceptionally(new IllegalStateException("not now"));
        assertThatThrownBy(owner::join).hasRootCauseMessage("not now");
        timer.pass(MARK.plusSeconds(5));
        assertThat(waiting).isCompletedWithValue(new Outcome.AttemptFailed<>(null));
    }
}
