package io.onefold.store;

/**
 * A store that can also wake those who wait for a record, in whichever process they are. Signals are hints: losing one, or sending
 * one too many, costs time and never correctness. Neither call blocks.
 */
public interface RecordSignals {

    /** Calls {@code wake} when the record may have changed, until the subscription is closed. Must not block in {@code wake}. */
    Subscription subscribe(RecordId id, Runnable wake);

    void publish(RecordId id);

    /** Ends a subscription. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
