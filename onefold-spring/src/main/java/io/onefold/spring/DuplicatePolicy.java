package io.onefold.spring;

/** The response to a duplicate of a finished call. */
public enum DuplicatePolicy {
    AS_CONFIGURED,
    /** The duplicate gets the response of the first call. */
    REPLAY,
    /** The duplicate is rejected. */
    REJECT
}
