package io.onefold.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The protection of an operation's requests, for reports.
 *
 * @param key the place of the key in the request
 * @param waitFor how long a duplicate waits; null if not configured
 * @param lease null if not configured
 * @param maxRun null if not configured
 * @param safeToRepeat true if a lost attempt is repeated
 * @param repeated the attempts that leave the key free though they may have had effects, in words; empty if there are none
 * @param open true if requests pass unprotected while the store cannot be reached
 * @param bypass true if requests for a stream of events pass unprotected
 * @param shadow true if requests are only observed
 */
public record OperationCoverage(
        String operation,
        String key,
        Duration keep,
        @Nullable Duration waitFor,
        @Nullable Duration lease,
        @Nullable Duration maxRun,
        boolean rejectsDuplicates,
        boolean hashesKeys,
        boolean safeToRepeat,
        List<String> repeated,
        boolean open,
        boolean bypass,
        boolean shadow) {

    static OperationCoverage of(ProtectedOperation covered) {
        HttpPolicy policy = covered.policy();
        return new OperationCoverage(
                covered.operation().name(),
                key(covered),
                Objects.requireNonNull(policy.keep),
                policy.wait,
                policy.lease,
                policy.maxRun,
                policy.rejection != null && !policy.rejection.isEmpty(),
                ProtectedOperation.yes(policy.hashKeys),
                ProtectedOperation.yes(policy.safeToRepeat),
                repeated(policy),
                ProtectedOperation.yes(policy.openOnStoreFailure),
                policy.streaming == HttpPolicy.StreamHandling.BYPASS,
                covered.shadow());
    }

    /**
     * The guarantee for each request with a key, in the words of the documentation, including every restriction that the settings cause.
     */
    public String promise() {
        return promise(safeToRepeat, repeated)
                + (bypass ? "; streams of events pass unprotected" : "")
                + (open ? "; unprotected while the store cannot be reached" : "");
    }

    /**
     * The same guarantee for an operation that is not reached by requests.
     *
     * @param repeated the ends after which the operation runs again, in words
     */
    public static String promise(boolean safeToRepeat, List<String> repeated) {
        if (safeToRepeat) {
            return "at least once; one effect only if the callee recognises a repetition";
        }
        return repeated.isEmpty() ? "at most once" : "at most once; again after " + String.join(" or ", repeated);
    }

    private static String key(ProtectedOperation covered) {
        HttpPolicy policy = covered.policy();
        String places = covered.sources().stream()
                .map(source -> source.toString().replaceFirst(":", " "))
                .collect(Collectors.joining(" or "));
        return (ProtectedOperation.yes(policy.tokens) ? "token in " : "")
                + places
                + (policy.contentWindow == null ? "" : ", else the content within " + policy.contentWindow);
    }

    private static List<String> repeated(HttpPolicy policy) {
        List<String> repeated = new ArrayList<>();
        if (policy.on5xx == HttpPolicy.On5xx.RETRY) {
            repeated.add("an answer of 5xx");
        }
        if (ProtectedOperation.yes(policy.onlySuccess)) {
            repeated.add("an answer of 3xx or 4xx");
        }
        for (int status : new TreeSet<>(Objects.requireNonNull(policy.neverStored))) {
            if (!told(status, policy)) {
                repeated.add("an answer of " + status);
            }
        }
        Objects.requireNonNull(policy.retryable).forEach(type -> repeated.add(type.getSimpleName()));
        return List.copyOf(repeated);
    }

    private static boolean told(int status, HttpPolicy policy) {
        return HttpStatusRules.isNeverStored(status)
                || (status >= 500 && policy.on5xx == HttpPolicy.On5xx.RETRY)
                || (status >= 300 && status < 500 && ProtectedOperation.yes(policy.onlySuccess));
    }
}
