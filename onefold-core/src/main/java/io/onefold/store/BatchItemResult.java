package io.onefold.store;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One item's answer in a batch: a failing item fails alone. */
public final class BatchItemResult<T> {
    private final @Nullable T value;
    private final @Nullable RuntimeException failure;

    private BatchItemResult(@Nullable T value, @Nullable RuntimeException failure) {
        this.value = value;
        this.failure = failure;
    }

    public static <T> BatchItemResult<T> of(T value) {
        return new BatchItemResult<>(value, null);
    }

    public static <T> BatchItemResult<T> failed(RuntimeException failure) {
        return new BatchItemResult<>(null, failure);
    }

    /** Runs the step and returns its value or its exception as a result. */
    public static <T> BatchItemResult<T> from(Supplier<T> step) {
        try {
            return of(step.get());
        } catch (RuntimeException e) {
            return failed(e);
        }
    }

    public boolean succeeded() {
        return failure == null;
    }

    /** The answer, or the exception that took its place. */
    public T get() {
        if (value == null) {
            throw failure == null ? new IllegalStateException("an answer without value or failure") : failure;
        }
        return value;
    }
}
