package io.onefold.spring;

import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.http.HttpPolicy;
import io.onefold.http.KeySource;
import io.onefold.spring.IdempotentMetadata.DeclaredKeyLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates an annotation into a policy of the HTTP filter. */
final class AnnotationPolicy {
    private AnnotationPolicy() {}

    /** Returns null if the filter cannot express the annotation. */
    static @Nullable HttpPolicy of(IdempotentMetadata declared, OperationSettings settings, String header) {
        boolean fits = declared.scope().isEmpty()
                && declared.matching().isEmpty()
                && declared.bizId().isEmpty()
                // by the annotation alone: the choice between filter and handler must not change while records are kept
                && !declared.settings().isOfMethods();
        List<KeySource> sources = fits ? sources(declared, header) : null;
        if (sources == null) {
            return null;
        }
        return with(
                settings,
                common(declared).key(sources.toArray(KeySource[]::new)).tokens(declared.token()));
    }

    /** The policy of a handler that claims through the filter, because the filter cannot find its key, or because it is transactional. */
    static HttpPolicy late(IdempotentMetadata declared, OperationSettings settings, String header) {
        // the scope says whose key it is, so the caller need not be authenticated
        List<KeySource> sources = declared.scope().isEmpty() ? sources(declared, header) : null;
        HttpPolicy policy = common(declared).claimedByHandler();
        return with(
                settings, sources == null ? policy.withoutKeySource() : policy.key(sources.toArray(KeySource[]::new)));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of classes have no generics
    private static HttpPolicy common(IdempotentMetadata declared) {
        return HttpPolicy.unchanged()
                .required(declared.required())
                .retryOn(declared.retryOn().toArray(Class[]::new))
                .failOn(declared.failOn().toArray(Class[]::new));
    }

    /** Returns the policy, overridden by the settings. */
    static HttpPolicy with(OperationSettings settings, HttpPolicy base) {
        HttpPolicy policy = base;
        policy = settings.keep() == null ? policy : policy.keepFor(settings.keep());
        if (settings.lease() != null || settings.maxRun() != null) {
            Duration maxRun = settings.maxRun() == null ? Operation.MAX_RUN : settings.maxRun();
            Duration lease = settings.lease() == null ? Operation.LEASE : settings.lease();
            policy = policy.lease(lease.compareTo(maxRun) > 0 && settings.lease() == null ? maxRun : lease, maxRun);
        }
        if (settings.rejects()) {
            String message = settings.message();
            policy = policy.rejectDuplicates(message == null ? Outcome.RejectionReason.DUPLICATE.message() : message);
        } else {
            policy = settings.waitFor() == null ? policy : policy.waitFor(settings.waitFor());
            policy = settings.message() == null ? policy : policy.busyMessage(settings.message());
            policy = settings.isChosen() ? policy.replayDuplicates() : policy;
        }
        policy = settings.shadow() == null ? policy : policy.shadow(settings.shadow());
        policy = settings.hashKeys() == null ? policy : policy.hashKeys(settings.hashKeys());
        policy = settings.waitersShareFailure() == null
                ? policy
                : policy.waitersShareFailure(settings.waitersShareFailure());
        return settings.safeToRepeat() == null ? policy : policy.safeToRepeat(settings.safeToRepeat());
    }

    private static @Nullable List<KeySource> sources(IdempotentMetadata declared, String header) {
        List<KeySource> sources = new ArrayList<>();
        for (DeclaredKeyLocation place : declared.places()) {
            switch (place.kind()) {
                case HEADER -> sources.add(KeySource.header(place.text()));
                case PARAMETER -> {
                    sources.add(KeySource.query(place.text()));
                    sources.add(KeySource.form(place.text()));
                }
                case EXPRESSION, CONTENT -> {
                    return null;
                }
            }
        }
        if (sources.isEmpty()) {
            sources.add(KeySource.header(header));
        }
        return sources;
    }
}
