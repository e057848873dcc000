package io.onefold.upkeep;

import io.onefold.Verdict;

/**
 * Finds out what became of a lost attempt: asks the provider by the child key, looks for the row. "Not found" is
 * {@link Verdict#unknown()}, for the lost attempt may still act; only what <em>can no longer happen</em> may be tried again.
 */
@FunctionalInterface
public interface OutcomeProbe<T> {
    Verdict<T> probe(UnknownOutcomeRequest stuck) throws Exception;
}
