package io.onefold.http.doors;

import io.onefold.store.Answer;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Filter;
import io.onefold.store.Page;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Signals;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store that tells something else of what is under way. */
final class MetStore implements Store {
    private final Store behind;
    private final UnaryOperator<Seen> told;

    MetStore(Store behind, UnaryOperator<Seen> told) {
        this.behind = behind;
        this.told = told;
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        List<Answer<Claimed>> answers = new ArrayList<>();
        for (Answer<Claimed> answer : behind.claimAll(claims)) {
            boolean underWay = answer.get() instanceof Seen met && met.record().status() == Status.PROCESSING;
            answers.add(underWay ? Answer.of(told.apply((Seen) answer.get())) : answer);
        }
        return answers;
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        return behind.updateAll(updates);
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        return behind.find(id);
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        return behind.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return behind.sweep(limit);
    }

    @Override
    public @Nullable Signals signals() {
        return behind.signals();
    }
}
