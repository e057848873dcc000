package io.onefold.test;

/** The points between a call and its record at which a fault may occur. */
public enum CrashPoint {
    /** Nothing has happened yet. */
    BEFORE_CLAIM,
    /** The claim stands, and whoever made it does not hear of it. The work has not begun. */
    AFTER_CLAIM,
    /** Before a lease is renewed: the work is under way. */
    BEFORE_RENEW,
    /** The work has ended, and nobody was told: neither its result, nor its failure, nor its release is written. */
    BEFORE_COMPLETE,
    /** The end of the work is written, and whoever wrote it does not hear of it. */
    AFTER_COMPLETE
}
