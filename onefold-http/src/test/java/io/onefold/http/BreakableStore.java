package io.onefold.http;

import io.onefold.store.Answer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.Payload;
import io.onefold.store.PayloadRefusedException;
import io.onefold.store.StoreException;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.util.List;

/** Fails on demand. */
final class BreakableStore extends ForwardingStore {
    volatile boolean claimsFail;
    volatile boolean updatesFail;
    volatile boolean resultsRefused;

    BreakableStore() {
        super(new MemoryStore());
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        check(claimsFail);
        return super.claimAll(claims);
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        check(updatesFail);
        if (resultsRefused && updates.stream().anyMatch(BreakableStore::hasResult)) {
            throw new PayloadRefusedException("too large on purpose", null);
        }
        return super.updateAll(updates);
    }

    private static boolean hasResult(Update update) {
        return update.change() instanceof Change.Complete complete
                && complete.result().kind() == Payload.Kind.VALUE;
    }

    private static void check(boolean fails) {
        if (fails) {
            throw new StoreException("down on purpose");
        }
    }
}
