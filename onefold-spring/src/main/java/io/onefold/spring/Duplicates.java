package io.onefold.spring;

/** What a duplicate of a finished call gets. */
public enum Duplicates {
    AS_CONFIGURED,
    /** The answer of the first. */
    REPLAY,
    /** A refusal. */
    REJECT
}
