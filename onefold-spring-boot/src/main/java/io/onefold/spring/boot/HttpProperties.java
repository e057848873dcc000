package io.onefold.spring.boot;

import io.onefold.http.HttpProfile;
import io.onefold.http.PrincipalCallerResolver;
import io.onefold.http.ReplayHeader;
import io.onefold.spring.KeyHeader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Requests that are safe to repeat.
 *
 * @param enabled Whether requests are looked at.
 * @param cover Which requests are protected beside those of the configured routes.
 * @param profile Which clients are expected: their header, statuses and error format.
 * @param keyHeader The header that has the key; that of the profile unless chosen.
 * @param replayMarker The header by which answers say that they are earlier ones.
 * @param overloadedStatus The status of answers to requests that are too many: 503 or 429.
 * @param principal Whose keys they are. With Spring Security those of its principal unless chosen.
 * @param issuers Issuers of tokens and ids of OAuth 2.0 registrations, by an alias that stands for them in the identity of callers.
 * @param required Whether requests without a key are refused on routes that say nothing else.
 * @param strict Whether a key on a request that nothing protects is answered 501 instead of ignored.
 * @param statusQueries Whether callers may ask what became of their requests, under /.well-known/onefold.
 * @param mutating Methods of requests that change something: handlers of these that nothing protects are told when the application starts.
 * @param filterOrder Where the filter stands among others; right after Spring Security's unless chosen.
 * @param errorPage The path under which errors of the application are rendered; Spring Boot's unless chosen.
 * @param outerExceptions Exceptions that filters before Onefold's translate into answers; Spring Security's are known.
 * @param cors Which scripts may read Onefold's own answers.
 * @param routes Requests that are protected without an annotation; the first that matches counts.
 */
record HttpProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("annotated") RequestCoverage cover,
        @DefaultValue("ietf") HttpProfile profile,
        @Nullable String keyHeader,
        @DefaultValue(ReplayHeader.USUAL) String replayMarker,
        @DefaultValue("503") int overloadedStatus,
        @Nullable PrincipalKind principal,
        @DefaultValue Map<String, List<String>> issuers,
        @DefaultValue("false") boolean required,
        @DefaultValue("false") boolean strict,
        @DefaultValue("false") boolean statusQueries,
        @DefaultValue({"POST", "PATCH"}) Set<String> mutating,
        @Nullable Integer filterOrder,
        @Nullable String errorPage,
        @DefaultValue List<Class<? extends Throwable>> outerExceptions,
        @DefaultValue CorsProperties cors,
        @DefaultValue List<RouteProperties> routes) {
    private static final Set<String> MAY_MUTATE = Set.of("POST", "PUT", "PATCH", "DELETE");

    HttpProperties {
        if (!MAY_MUTATE.containsAll(mutating)) {
            throw new IllegalArgumentException("onefold.http.mutating is some of " + new TreeSet<>(MAY_MUTATE)
                    + ", not " + new TreeSet<>(mutating));
        }
        if (overloadedStatus != 429 && overloadedStatus != 503) {
            throw new IllegalArgumentException("onefold.http.overloaded-status is 429 or 503, not " + overloadedStatus);
        }
        try {
            var unused = new PrincipalCallerResolver(issuers);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("onefold.http.issuers: " + e.getMessage(), e);
        }
        try {
            var unused = new ReplayHeader(replayMarker);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("onefold.http.replay-marker: " + e.getMessage(), e);
        }
    }

    /** Which requests are protected. */
    enum RequestCoverage {
        /** Those of annotated handlers. */
        ANNOTATED,
        /** All POST and PATCH requests, too. */
        ALL
    }

    /** Whose keys are told apart. */
    enum PrincipalKind {
        /** The principal of the request, as Spring Security or the container has authenticated it. */
        SECURITY,
        /** Nobody's: who knows a key gets its answer. */
        ANONYMOUS
    }

    /**
     * Which scripts may read Onefold's own answers.
     *
     * @param origins Origins whose scripts may; * for all.
     * @param credentials Whether those scripts may send credentials.
     */
    record CorsProperties(
            @DefaultValue Set<String> origins,
            @DefaultValue("false") boolean credentials) {}

    PrincipalCallerResolver principals() {
        return new PrincipalCallerResolver(issuers);
    }

    KeyHeader header() {
        if (keyHeader != null) {
            return new KeyHeader(keyHeader);
        }
        return switch (profile) {
            case IETF, STRIPE -> KeyHeader.DEFAULT;
            case AZURE -> new KeyHeader("Repeatability-Request-ID");
            case LEGACY -> new KeyHeader("Idempotent-Token");
        };
    }
}
