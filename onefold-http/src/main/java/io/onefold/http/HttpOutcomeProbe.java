package io.onefold.http;

import io.onefold.Verdict;

/**
 * Finds out what became of a request whose response was lost, by asking the application behind the adapter. "Not found" is
 * {@link Verdict#unknown()}: the request may still be in progress there.
 */
@FunctionalInterface
public interface HttpOutcomeProbe {
    /**
     * Returns what became of the request. If it was carried out, the verdict has the response that duplicates get from now on.
     *
     * @param key the key as it was forwarded with the request
     */
    Verdict<HandlerResponse> probe(String key) throws Exception;
}
