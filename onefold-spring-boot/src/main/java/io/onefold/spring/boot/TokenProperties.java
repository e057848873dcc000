package io.onefold.spring.boot;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Tokens that are issued to users for one request each.
 *
 * @param enabled Whether tokens are issued and checked.
 * @param life How long a token lives; operations that want tokens keep their records at least as long.
 */
record TokenProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("10m") Duration life) {

    TokenProperties {
        PropertyLimits.atLeast("onefold.tokens.life", Duration.ofMillis(1), life);
    }
}
