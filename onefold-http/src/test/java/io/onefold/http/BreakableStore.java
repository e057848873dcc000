package io.onefold.http;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.PayloadRejectedException;
import io.onefold.store.RecordUpdate;
import io.onefold.store.ResultPayload;
import io.onefold.store.StoreException;
import io.onefold.store.UpdateResult;
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
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        check(claimsFail);
        return super.claimAll(claims);
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        check(updatesFail);
        if (resultsRefused && updates.stream().anyMatch(BreakableStore::hasResult)) {
            throw new PayloadRejectedException("too large on purpose", null);
        }
        return super.updateAll(updates);
    }

    private static boolean hasResult(RecordUpdate update) {
        return update.change() instanceof Change.Complete complete
                && complete.result().kind() == ResultPayload.Kind.VALUE;
    }

    private static void check(boolean fails) {
        if (fails) {
            throw new StoreException("down on purpose");
        }
    }
}
