package io.onefold.spring.client;

import feign.RequestInterceptor;
import feign.RequestTemplate;
import io.onefold.Attempt;
import io.onefold.spring.CurrentAttempt;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** For Feign: calls made in an attempt, and without a key, get one, which the retries of its {@code Retryer} keep. */
public final class ChildKeyFeignInterceptor implements RequestInterceptor {
    private final ChildKeyRules keys;

    public ChildKeyFeignInterceptor() {
        this(ChildKeyRules.standard());
    }

    public ChildKeyFeignInterceptor(ChildKeyRules keys) {
        this.keys = keys;
    }

    @Override
    public void apply(RequestTemplate template) {
        Attempt attempt = CurrentAttempt.get();
        if (attempt == null || template.headers().keySet().stream().anyMatch(keys.header()::equalsIgnoreCase)) {
            return;
        }
        String key = keys.of(attempt, template.method(), target(template), null);
        if (key != null) {
            template.header(keys.header(), key);
        }
    }

    private static @Nullable URI target(RequestTemplate template) {
        String base =
                template.feignTarget() == null ? "" : template.feignTarget().url();
        return URI.create(base + template.path());
    }
}
