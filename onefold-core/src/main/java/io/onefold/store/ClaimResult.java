package io.onefold.store;

/** The answer to a claim: {@link Acquired}, or what is there already. */
public sealed interface ClaimResult permits ClaimResult.Acquired, RecordSnapshot {

    /** The store's clock when it answered, UTC microseconds. */
    long now();

    /** The claimant owns the record under this fence. */
    record Acquired(long fence, long now) implements ClaimResult {}
}
