package io.onefold.jdbc;

/** Where an execution can be held up, or its process killed. */
enum Point {
    BEFORE_CLAIM,
    /** The claim stands, or the transaction holds the lock; the work has done nothing yet. */
    CLAIMED,
    /** The work has had its effect and goes on. */
    WORKING,
    /** The work is over, and its end is about to be recorded: for the first time, or once more. */
    WORKED,
    RECORDED
}
