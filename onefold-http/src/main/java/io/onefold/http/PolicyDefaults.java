package io.onefold.http;

import io.onefold.http.HttpPolicy.On5xx;
import java.time.Duration;

/** The settings that apply unless something else is configured. */
final class PolicyDefaults {
    private static final HttpPolicy COMMON = HttpPolicy.unchanged()
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
            .streaming(HttpPolicy.StreamHandling.TOMBSTONE)
            .storeBody(true)
            .safeToRepeat(false)
            .waitersShareFailure(false)
            .hashKeys(false)
            .tokens(false)
            .forward(HttpPolicy.KeyForwarding.ORIGINAL);

    private static final HttpPolicy IETF = HttpPolicy.unchanged()
            .key(KeySource.header("Idempotency-Key"))
            .tellKeep(true)
            .over(COMMON);

    private static final HttpPolicy STRIPE =
            HttpPolicy.unchanged().waitFor(Duration.ZERO).tellKeep(false).over(IETF);

    private static final HttpPolicy AZURE = HttpPolicy.unchanged()
            .key(KeySource.header("Repeatability-Request-ID"))
            .syntax(KeySyntax.uuid())
            .on5xx(On5xx.RETRY)
            .over(COMMON);

    private static final HttpPolicy LEGACY = HttpPolicy.unchanged()
            .key(KeySource.header("Idempotent-Token"))
            .keepFor(Duration.ofMinutes(5))
            .on5xx(On5xx.RETRY)
            .rejectDuplicates(HttpProfile.LEGACY.rejection())
            .waitersShareFailure(true)
            .over(COMMON);

    private PolicyDefaults() {}

    static HttpPolicy of(HttpProfile profile) {
        return switch (profile) {
            case IETF -> IETF;
            case STRIPE -> STRIPE;
            case AZURE -> AZURE;
            case LEGACY -> LEGACY;
        };
    }
}
