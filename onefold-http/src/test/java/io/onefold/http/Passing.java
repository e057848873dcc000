package io.onefold.http;

import io.onefold.store.Answer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Filter;
import io.onefold.store.Page;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Signals;
import io.onefold.store.Store;
import io.onefold.store.Ticket;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store before another. */
class Passing implements Store {
    private final Store behind;

    Passing(Store behind) {
        this.behind = behind;
    }

    @Override
    public Claimed claim(Claim claim) {
        return behind.claim(claim);
    }

    @Override
    public Updated update(Ticket ticket, Change change) {
        return behind.update(ticket, change);
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        return behind.claimAll(claims);
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
