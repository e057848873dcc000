package io.onefold.spring;

/** The way in which record and effect are kept together. */
public enum TransactionMode {
    /** {@link #JOINED} if the method is transactional in the store's own database, else {@link #LEASED}. */
    AUTO,
    /** Record and effect commit in one transaction: exactly one effect in that database. */
    JOINED,
    /**
     * The claim is recorded first, and the effect is elsewhere. There is at most one effect; if a call is lost in between, its outcome is
     * unknown.
     */
    LEASED
}
