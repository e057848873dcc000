package io.onefold.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A list of claims or updates as rounds that hold a record once at most: what comes again for it goes with a later round. */
public final class RecordBatches {
    private RecordBatches() {}

    /**
     * Sends a list round by round. A round that fails as a whole fails each of its items alone.
     *
     * @param most items of one round
     * @return an answer for each item, in order
     */
    public static <A, B> List<BatchItemResult<B>> send(
            List<A> items, int most, Function<A, RecordId> id, Function<List<A>, List<BatchItemResult<B>>> round) {
        List<BatchItemResult<B>> answers = new ArrayList<>(items.size());
        int from = 0;
        while (from < items.size()) {
            Set<RecordId> ids = new HashSet<>();
            int to = from;
            while (to < items.size() && to - from < most && ids.add(id.apply(items.get(to)))) {
                to++;
            }
            List<A> some = items.subList(from, to);
            try {
                answers.addAll(round.apply(some));
            } catch (StoreException e) {
                some.forEach(item -> answers.add(BatchItemResult.failed(e)));
            }
            from = to;
        }
        return answers;
    }
}
