package io.onefold.http;

import io.onefold.http.Policy.On5xx;
import java.time.Duration;

/** The settings that apply unless something else is configured. */
final class Defaults {
    private static final Policy COMMON = Policy.unchanged()
            .required(false)
            .syntax(KeySyntax.lenient())
            .keepFor(Duration.ofHours(24))
            .tellKeep(false)
            .on5xx(On5xx.REPLAY)
            .retryOn()
            .failOn()
            .neverStore()
            .storeOnlySuccess(false)
            .openOnStoreFailure(false)
            .busyStatus(409)
            .unknownStatus(409)
            .storeHeaders()
            .compareHeaders()
            .ignoreQuery()
            .body(BodyRules.standard())
            .maxAnswerBytes(256 * 1024)
            .streaming(Policy.Streaming.TOMBSTONE)
            .storeBody(true)
            .safeToRepeat(false)
            .waitersShareFailure(false)
            .hashKeys(false)
            .tokens(false)
            .forward(Policy.Forward.ORIGINAL);

    private static final Policy IETF = Policy.unchanged()
            .key(KeySource.header("Idempotency-Key"))
            .tellKeep(true)
            .over(COMMON);

    private static final Policy STRIPE =
            Policy.unchanged().waitFor(Duration.ZERO).tellKeep(false).over(IETF);

    private static final Policy AZURE = Policy.unchanged()
            .key(KeySource.header("Repeatability-Request-ID"))
            .syntax(KeySyntax.uuid())
            .on5xx(On5xx.RETRY)
            .over(COMMON);

    private static final Policy LEGACY = Policy.unchanged()
            .key(KeySource.header("Idempotent-Token"))
            .keepFor(Duration.ofMinutes(5))
            .on5xx(On5xx.RETRY)
            .rejectDuplicates(Profile.LEGACY.rejection())
            .waitersShareFailure(true)
            .over(COMMON);

    private Defaults() {}

    static Policy of(Profile profile) {
        return switch (profile) {
            case IETF -> IETF;
            case STRIPE -> STRIPE;
            case AZURE -> AZURE;
            case LEGACY -> LEGACY;
        };
    }
}
