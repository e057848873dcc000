package io.onefold.http;

import java.time.Duration;
import java.util.Objects;

/** A bundle of defaults that existing clients expect. */
public enum HttpProfile {
    /** The IETF's draft, and what it leaves open answered our way. */
    IETF,

    /** What clients of Stripe expect: a key is for one request, whatever the endpoint, and mistakes are told in Stripe's shape. */
    STRIPE,

    /** OASIS Repeatable Requests, as services of Azure have them. */
    AZURE,

    /** Duplicates are rejected with a message instead of answered, for five minutes. */
    LEGACY;

    /** What keys look like where nobody chooses. */
    public KeySyntax syntax() {
        return Objects.requireNonNull(policy().syntax);
    }

    /** How long answers are replayed where nobody chooses. */
    public Duration keep() {
        return Objects.requireNonNull(policy().keep);
    }

    /** What duplicates are told where they are rejected and nobody chooses the words. */
    public String rejection() {
        return this == LEGACY ? "请勿重复提交" : "The request was handled before.";
    }

    /** Every choice that has a default. */
    HttpPolicy policy() {
        return PolicyDefaults.of(this);
    }
}
