package io.onefold.jdbc;

/** The kinds of failure that the store treats differently. */
enum SqlErrorKind {
    /** Two transactions stood in each other's way; one of them was ended and may be repeated. */
    CONFLICT,
    /** Another transaction held a lock for longer than this one could wait. */
    LOCK_TIMEOUT,
    /** A statement took too long. */
    TIMEOUT,
    /** The connection is gone, and with it the answer. */
    CONNECTION,
    /** Another record is there: a row with this primary key, or one that the write does not expect. */
    DUPLICATE,
    /** The database read the step and rejects its content for good: it is too large, or violates a constraint. */
    REFUSED,
    /** Any other failure; it is thrown to the caller. */
    OTHER
}
