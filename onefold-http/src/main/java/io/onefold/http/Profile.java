package io.onefold.http;

import io.onefold.http.Policy.On5xx;
import java.time.Duration;

/** A bundle of defaults that existing clients expect. */
public enum Profile {
    /** The IETF's draft, and what it leaves open answered our way. */
    IETF(Policy.unchanged().key(KeySource.header("Idempotency-Key"))),

    /** What clients of Stripe expect: a key is for one request, whatever the endpoint, and mistakes are told in Stripe's shape. */
    STRIPE(Policy.unchanged().key(KeySource.header("Idempotency-Key")).waitFor(Duration.ZERO)),

    /** OASIS Repeatable Requests, as services of Azure have them. */
    AZURE(Policy.unchanged()
            .key(KeySource.header("Repeatability-Request-ID"))
            .syntax(KeySyntax.uuid())
            .on5xx(On5xx.RETRY)),

    /** Duplicates are rejected with a message instead of answered, for five minutes. */
    LEGACY(Policy.unchanged()
            .key(KeySource.header("Idempotent-Token"))
            .keepFor(Duration.ofSeconds(300))
            .on5xx(On5xx.RETRY)
            .rejectDuplicates("请勿重复提交"));

    private static final Policy COMMON = Policy.unchanged()
            .required(false)
            .syntax(KeySyntax.lenient())
            .keepFor(Duration.ofHours(24))
            .on5xx(On5xx.REPLAY)
            .neverStore()
            .storeOnlySuccess(false)
            .openOnStoreFailure(false)
            .busyStatus(409)
            .unknownStatus(409)
            .storeHeaders()
            .compareHeaders()
            .body(BodyRules.standard())
            .maxAnswerBytes(256 * 1024)
            .streaming(Policy.Streaming.TOMBSTONE)
            .storeBody(true)
            .safeToRepeat(false)
            .hashKeys(false)
            .tokens(false)
            .forward(Policy.Forward.ORIGINAL);

    private final Policy own;

    Profile(Policy own) {
        this.own = own;
    }

    /** Every choice that has a default. */
    Policy policy() {
        return own.over(COMMON);
    }
}
