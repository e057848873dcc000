package io.onefold.spring.boot;

import io.onefold.spring.LegacySettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What {@code idempotent.*} says to methods with the annotation of {@code io.onefold.spring.legacy}.
 *
 * @param keyPrefix Read and not used: the records of an application are told apart by where they are kept.
 * @param expireTime For how many seconds a token is known.
 * @param returnCachedResult Whether a duplicate gets the first answer instead of a refusal.
 * @param maxRetryCount With retry-interval-ms, how long a duplicate waits for the first answer; nothing is polled.
 * @param retryIntervalMs With max-retry-count, how long a duplicate waits for the first answer, in milliseconds.
 */
@ConfigurationProperties("idempotent")
record LegacyProperties(
        @DefaultValue("idempotent:token:") String keyPrefix,
        @DefaultValue("300") int expireTime,
        @DefaultValue("false") boolean returnCachedResult,
        @DefaultValue("3") int maxRetryCount,
        @DefaultValue("100") int retryIntervalMs) {

    LegacyProperties {
        PropertyLimits.atLeast("idempotent.expire-time", 1, expireTime);
        PropertyLimits.atLeast("idempotent.max-retry-count", 0, maxRetryCount);
        PropertyLimits.atLeast("idempotent.retry-interval-ms", 0, retryIntervalMs);
    }

    LegacySettings settings() {
        return new LegacySettings(
                Duration.ofSeconds(expireTime),
                returnCachedResult,
                Duration.ofMillis((long) maxRetryCount * retryIntervalMs));
    }
}
