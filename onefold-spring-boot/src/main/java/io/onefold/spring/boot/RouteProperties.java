package io.onefold.spring.boot;

import io.onefold.http.HttpPolicy;
import io.onefold.http.KeySource;
import io.onefold.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Requests that are one operation. How long its records are kept, and so on, is under onefold.operations.
 *
 * <p>Its prefix is for editors alone: what is in a list is described under that name, which is bound with all of {@code onefold}.
 *
 * @param methods The methods of the requests.
 * @param path The path, with parts in braces that match one segment, and perhaps a last segment of two asterisks.
 * @param operation The name of the operation; method and path unless chosen.
 * @param pass Whether the requests pass, whatever a later route says.
 * @param key Where the key may stand: header:NAME, query:NAME, form:NAME or json:$.PATH.
 * @param required Whether a request without a key is refused.
 * @param tokens Whether the key must be a token that was issued to the caller.
 * @param contentWindow For how long equal requests without a key count as one.
 * @param on5xx What an answer of 500 or above means.
 * @param neverStore Statuses of answers that are not kept, beside those that never are.
 * @param storeOnlySuccess Whether only answers from 200 to 299 are kept.
 * @param storeBody Whether the body of an answer is kept.
 * @param storeHeaders Headers of an answer that are kept beside the usual ones.
 * @param compareHeaders Headers of a request that belong to what a key stands for.
 * @param ignoreQuery Parameters of the query that do not belong to it.
 * @param ignoreTrailingSlash Whether the path with a slash more or less at the end is the same route; true unless chosen.
 * @param ignoreCase Whether the path in another case is the same route; true unless chosen.
 * @param openOnStoreFailure Whether requests pass unprotected while the store cannot be reached.
 */
@ConfigurationProperties("onefold.http.routes[0]")
record RouteProperties(
        @DefaultValue("POST") Set<String> methods,
        String path,
        @Nullable String operation,
        @DefaultValue("false") boolean pass,
        @Nullable List<String> key,
        @Nullable Boolean required,
        @Nullable Boolean tokens,
        @Nullable Duration contentWindow,
        @Name("on-5xx") HttpPolicy.@Nullable On5xx on5xx,
        @Nullable List<Integer> neverStore,
        @Nullable Boolean storeOnlySuccess,
        @Nullable Boolean storeBody,
        @Nullable List<String> storeHeaders,
        @Nullable List<String> compareHeaders,
        @Nullable List<String> ignoreQuery,
        @Nullable Boolean ignoreTrailingSlash,
        @Nullable Boolean ignoreCase,
        @Nullable Boolean openOnStoreFailure) {

    RouteProperties {
        if (path == null || !path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "onefold.http.routes: a route needs a path that begins with /, such as /orders/{id}, not " + path);
        }
        PropertyLimits.atLeast("content-window", Duration.ofMillis(1), contentWindow);
    }

    /**
     * Without what is configured for its operation.
     *
     * @throws ContradictorySettingsException if there can be no such route
     */
    Route route() {
        try {
            return made();
        } catch (IllegalArgumentException e) {
            throw new ContradictorySettingsException(
                    "onefold.http.routes: the route " + path + " cannot be: " + e.getMessage(),
                    "Correct what it says, or remove it.");
        }
    }

    private Route made() {
        if (pass) {
            return new Route(methods, path, null, true, HttpPolicy.unchanged());
        }
        HttpPolicy policy = HttpPolicy.unchanged();
        policy = key == null
                ? policy
                : policy.key(key.stream().map(KeySource::parse).toArray(KeySource[]::new));
        policy = required == null ? policy : policy.required(required);
        policy = tokens == null ? policy : policy.tokens(tokens);
        policy = contentWindow == null ? policy : policy.contentKey(contentWindow);
        policy = on5xx == null ? policy : policy.on5xx(on5xx);
        policy = neverStore == null
                ? policy
                : policy.neverStore(
                        neverStore.stream().mapToInt(Integer::intValue).toArray());
        policy = storeOnlySuccess == null ? policy : policy.storeOnlySuccess(storeOnlySuccess);
        policy = storeBody == null ? policy : policy.storeBody(storeBody);
        policy = storeHeaders == null ? policy : policy.storeHeaders(storeHeaders.toArray(String[]::new));
        policy = compareHeaders == null ? policy : policy.compareHeaders(compareHeaders.toArray(String[]::new));
        policy = ignoreQuery == null ? policy : policy.ignoreQuery(ignoreQuery.toArray(String[]::new));
        policy = ignoreTrailingSlash == null ? policy : policy.ignoreTrailingSlash(ignoreTrailingSlash);
        policy = ignoreCase == null ? policy : policy.ignoreCase(ignoreCase);
        policy = openOnStoreFailure == null ? policy : policy.openOnStoreFailure(openOnStoreFailure);
        return new Route(methods, path, operation, false, policy);
    }
}
