package io.onefold.store;

/** The answer to an update. */
public enum UpdateResult {
    /** The record is as the change says, now or since the same change came before. */
    APPLIED,
    /** Owner, fence or status were others: the ticket is worth nothing any more. */
    LOST
}
