package io.onefold.http;

import io.onefold.Verdict;

/**
 * Finds out what became of a request whose answer was lost, by asking whoever is behind the door. "Not found" is
 * {@link Verdict#unknown()}: the request may still be under way there.
 */
@FunctionalInterface
public interface AnswerProbe {
    /**
     * What became of it; if it was carried out, with the answer that duplicates get from now on.
     *
     * @param key as it was sent on with the request
     */
    Verdict<Produced> probe(String key) throws Exception;
}
