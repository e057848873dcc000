package io.onefold.spring;

/** How record and effect are kept together. */
public enum Mode {
    /** Joined if the method is transactional in the store's own database, else leased. */
    AUTO,
    /** Record and effect commit in one transaction: exactly one effect in that database. */
    JOINED,
    /** The claim is recorded first, the effect is elsewhere: at most one, and what was lost in between is unknown. */
    LEASED
}
