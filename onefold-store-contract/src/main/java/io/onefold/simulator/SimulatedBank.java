package io.onefold.simulator;

import io.onefold.Attempt;
import io.onefold.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outside world, where effects happen and are counted. It knows nothing of records: an intent may be blocked for good up to a
 * fence, and where the operation is safe to repeat, it is because the bank recognises the child key.
 */
final class SimulatedBank {
    record Transfer(ClientOrder order, String receipt, long fence) {}

    private final List<Transfer> transfers = new ArrayList<>();
    private final Map<String, Long> blocked = new HashMap<>();
    private final boolean recognises;

    SimulatedBank(boolean recognises) {
        this.recognises = recognises;
    }

    /** Moves the money; null if the intent was blocked before. */
    @Nullable
    String transfer(ClientOrder order, Attempt attempt) {
        if (attempt.fence() <= blocked.getOrDefault(attempt.childKey("bank"), 0L)) {
            return null;
        }
        Transfer known = recognises ? find(order, attempt.fence()) : null;
        if (known != null) {
            return known.receipt;
        }
        String receipt = order + " #" + (transfers.size() + 1);
        transfers.add(new Transfer(order, receipt, attempt.fence()));
        return receipt;
    }

    /**
     * Returns the outcome of the attempt: its receipt, or, if the caller wants so, the promise that it stays without
     * effect.
     */
    Verdict<String> settle(ClientOrder order, String childKey, long fence, boolean block) {
        Transfer transfer = find(order, fence);
        if (transfer != null) {
            return Verdict.executed(order.reply(transfer.receipt));
        }
        if (!block) {
            return Verdict.unknown();
        }
        blocked.merge(childKey, fence, Math::max);
        return Verdict.canNoLongerHappen();
    }

    private @Nullable Transfer find(ClientOrder order, long fence) {
        for (Transfer transfer : transfers) {
            if (transfer.order.equals(order) && (recognises || transfer.fence == fence)) {
                return transfer;
            }
        }
        return null;
    }

    List<Transfer> transfers() {
        return transfers;
    }

    long count(ClientOrder order) {
        return transfers.stream()
                .filter(transfer -> transfer.order.equals(order))
                .count();
    }
}
