package io.onefold.http;

import java.time.Duration;
import java.util.Objects;

/** A bundle of defaults that existing clients expect. */
public enum HttpProfile {
    /** The IETF's draft, and what it leaves open answered our way. */
    IETF,

    /**
     * The behaviour that clients of Stripe expect: a key is for one request, whatever the endpoint, and errors have
     * Stripe's format.
     */
    STRIPE,

    /** OASIS Repeatable Requests, as services of Azure have them. */
    AZURE,

    /** Duplicates are rejected with a message instead of answered, for five minutes. */
    LEGACY;

    /** Returns the default syntax of keys. */
    public KeySyntax syntax() {
        return Objects.requireNonNull(policy().syntax);
    }

    /** Returns the default time for which responses are replayed. */
    public Duration keep() {
        return Objects.requireNonNull(policy().keep);
    }

    /** Returns the default message for duplicates that are rejected. */
    public String rejection() {
        return this == LEGACY ? "请勿重复提交" : "The request was handled before.";
    }

    /** Every choice that has a default. */
    HttpPolicy policy() {
        return PolicyDefaults.of(this);
    }
}
