package io.onefold;

import io.onefold.payload.ResultSerializer.StoredFailure;
import org.jspecify.annotations.Nullable;

/** The finding of a probe or a person about an unknown outcome. */
public sealed interface Verdict<T> {

    /** It happened, with this result. */
    record WasExecuted<T>(@Nullable T result) implements Verdict<T> {}

    /** It was tried and failed for good. */
    record HasFailed<T>(StoredFailure failure) implements Verdict<T> {}

    /** It has not happened and can no longer happen: cancelled or blocked where it would. Only this makes a new attempt safe. */
    record CanNoLongerHappen<T>() implements Verdict<T> {}

    /** Nobody can say. "Not found" is this: the lost owner may still act. */
    record StillUnknown<T>() implements Verdict<T> {}

    static <T> Verdict<T> executed(@Nullable T result) {
        return new WasExecuted<>(result);
    }

    static <T> Verdict<T> failed(String type, @Nullable String message) {
        return new HasFailed<>(new StoredFailure(type, message, null));
    }

    static <T> Verdict<T> canNoLongerHappen() {
        return new CanNoLongerHappen<>();
    }

    static <T> Verdict<T> unknown() {
        return new StillUnknown<>();
    }
}
