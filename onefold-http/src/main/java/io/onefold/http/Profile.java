package io.onefold.http;

/** A bundle of defaults that existing clients expect. */
public enum Profile {
    /** The IETF's draft, and what it leaves open answered our way. */
    IETF,

    /** What clients of Stripe expect: a key is for one request, whatever the endpoint, and mistakes are told in Stripe's shape. */
    STRIPE,

    /** OASIS Repeatable Requests, as services of Azure have them. */
    AZURE,

    /** Duplicates are rejected with a message instead of answered, for five minutes. */
    LEGACY;

    /** Every choice that has a default. */
    Policy policy() {
        return Defaults.of(this);
    }
}
