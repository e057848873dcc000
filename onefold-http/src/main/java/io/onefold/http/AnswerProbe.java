package io.onefold.http;

import io.onefold.Verdict;

/**
 * Finds out what became of a request whose answer was lost, by asking whoever is behind the door. "Not found" is
 * {@link Verdict#unknown()}: the request may still be under way there.
 */
@FunctionalInterface
public interface AnswerProbe {
    /**
     * @param key as it was sent on with the request
     * @return if it was carried out, the answer that duplicates get from now on
     */
    Verdict<Produced> probe(String key) throws Exception;
}
