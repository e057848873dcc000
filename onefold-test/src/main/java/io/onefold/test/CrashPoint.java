package io.onefold.test;

/** The points between a call and its record at which a fault may occur. */
public enum CrashPoint {
    /** Nothing has happened yet. */
    BEFORE_CLAIM,
    /** The claim is written, and its caller gets no response. The work has not begun. */
    AFTER_CLAIM,
    /** Before a lease is renewed: the work is under way. */
    BEFORE_RENEW,
    /** The work has ended, and nothing is recorded: neither its result, nor its failure, nor its release is written. */
    BEFORE_COMPLETE,
    /** The end of the work is written, and its caller gets no response. */
    AFTER_COMPLETE
}
