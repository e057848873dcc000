package io.onefold.jdbc;

import io.onefold.store.Claim;
import io.onefold.store.ColumnUpdate;
import io.onefold.store.RecordUpdate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Lists in parts that go into one statement each. */
final class ParameterChunks {
    private static final int MOST = 64;
    /** The size limit of one statement. */
    static final int MOST_BYTES = 1 << 20;

    private ParameterChunks() {}

    /** Returns as many elements as fit into one statement. Servers reject a statement that is too long, and end the connection. */
    static <T> List<T> next(List<T> all, int from, ToIntFunction<T> bytes) {
        int to = from;
        for (long sum = 0; to < all.size() && to - from < MOST; to++) {
            sum += bytes.applyAsInt(all.get(to));
            if (sum > MOST_BYTES && to > from) {
                break;
            }
        }
        return all.subList(from, to);
    }

    /**
     * Every number of rows is a statement of its own. Powers of two keep them few: the smallest row stands there again until the
     * number is one. It meets itself, and does nothing.
     */
    static <T> List<T> padded(List<T> some, ToIntFunction<T> bytes) {
        if (Integer.bitCount(some.size()) == 1) {
            return some;
        }
        List<T> padded = new ArrayList<>(some);
        T smallest = Collections.min(some, Comparator.comparingInt(bytes));
        while (Integer.bitCount(padded.size()) > 1) {
            padded.add(smallest);
        }
        return padded;
    }

    static int bytes(Claim claim) {
        return length(claim.print().fields()) + length(claim.checkpoint());
    }

    static int bytes(RecordUpdate update) {
        ColumnUpdate to = ColumnUpdate.of(update.change());
        return length(to.payload() == null ? null : to.payload().bytes()) + length(to.checkpoint());
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
