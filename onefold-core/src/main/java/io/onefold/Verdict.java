package io.onefold;

import io.onefold.payload.Results.Failure;
import org.jspecify.annotations.Nullable;

/** What a probe or a person found out about an unknown outcome. */
public sealed interface Verdict<T> {

    /** It happened, with this result. */
    record Executed<T>(@Nullable T result) implements Verdict<T> {}

    /** It was tried and failed for good. */
    record Failed<T>(Failure failure) implements Verdict<T> {}

    /** It has not happened and can no longer happen: cancelled or blocked where it would. Only this makes a new attempt safe. */
    record Impossible<T>() implements Verdict<T> {}

    /** Nobody can say. "Not found" is this: the lost owner may still act. */
    record Undecided<T>() implements Verdict<T> {}

    static <T> Verdict<T> executed(@Nullable T result) {
        return new Executed<>(result);
    }

    static <T> Verdict<T> failed(String type, @Nullable String message) {
        return new Failed<>(new Failure(type, message, null));
    }

    static <T> Verdict<T> canNoLongerHappen() {
        return new Impossible<>();
    }

    static <T> Verdict<T> unknown() {
        return new Undecided<>();
    }
}
