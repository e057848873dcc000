package io.onefold.simulator;

import io.onefold.store.Answer;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Filter;
import io.onefold.store.Page;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Store;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes everything on but what it breaks. */
abstract class PassingStore implements Store {
    Store store;

    PassingStore(Store store) {
        this.store = store;
    }

    @Override
    public Claimed claim(Claim claim) {
        return store.claim(claim);
    }

    Updated update(Update update) {
        return store.update(update.ticket(), update.change());
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        List<Answer<Claimed>> answers = new ArrayList<>();
        claims.forEach(claim -> answers.add(Answer.of(claim(claim))));
        return answers;
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        List<Answer<Updated>> answers = new ArrayList<>();
        updates.forEach(update -> answers.add(Answer.of(update(update))));
        return answers;
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        return store.find(id);
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        return store.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return store.sweep(limit);
    }
}
