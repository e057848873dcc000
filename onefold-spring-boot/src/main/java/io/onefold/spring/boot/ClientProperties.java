package io.onefold.spring.boot;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Calls to others, made while an operation runs.
 *
 * @param childKeys Which calls get a key that is derived from the operation's, if they have none.
 */
record ClientProperties(@DefaultValue("named") ChildKeyCalls childKeys) {
    /** Which calls get a key. */
    enum ChildKeyCalls {
        /** Those that name themselves in the attribute io.onefold.call. */
        NAMED,
        /** The others, too, by their address and how often it was called: supposes that every attempt calls in the same order. */
        ALL,
        /** No calls. */
        NONE
    }
}
