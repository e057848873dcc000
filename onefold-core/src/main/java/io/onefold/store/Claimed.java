package io.onefold.store;

/** The answer to a claim: {@link Won}, or what is there already. */
public sealed interface Claimed permits Claimed.Won, Seen {

    /** The store's clock when it answered, UTC microseconds. */
    long now();

    /** The claimant owns the record under this fence. */
    record Won(long fence, long now) implements Claimed {}
}
