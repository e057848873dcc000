package io.onefold.store;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals of a cache tier and its primary store. A call waits at the cache tier, under the identity that records have
 * there, or at the primary store while the cache tier is left alone. A publisher cannot know where others wait, and
 * tells both. A needless signal costs next to nothing, whereas a primary store may have to write for each waiter. A
 * signal that is missed, because the two see the cache tier differently, is made up for by looking.
 *
 * <p>Signals neither shut the breaker nor open it: since no call blocks, its success says nothing.
 */
final class TieredSignals implements RecordSignals {
    private static final Logger LOG = LoggerFactory.getLogger(TieredSignals.class);

    private final RecordSignals front;
    private final @Nullable RecordSignals truth;
    private final Function<RecordId, @Nullable RecordId> there;

    /**
     * @param there the identity at the front, null while it is left alone
     */
    TieredSignals(RecordSignals front, @Nullable RecordSignals truth, Function<RecordId, @Nullable RecordId> there) {
        this.front = front;
        this.truth = truth;
        this.there = there;
    }

    @Override
    public Subscription subscribe(RecordId id, Runnable wake) {
        RecordId atFront = there.apply(id);
        if (atFront != null) {
            try {
                return front.subscribe(atFront, wake);
            } catch (RuntimeException e) {
                LOG.debug("no signals for {} from the front", id, e);
            }
        }
        return truth == null ? () -> {} : truth.subscribe(id, wake);
    }

    @Override
    public void publish(RecordId id) {
        RecordId atFront = there.apply(id);
        if (atFront != null) {
            try {
                front.publish(atFront);
            } catch (RuntimeException e) {
                LOG.debug("no signal for {} to the front", id, e);
            }
        }
        if (truth != null) {
            truth.publish(id);
        }
    }
}
