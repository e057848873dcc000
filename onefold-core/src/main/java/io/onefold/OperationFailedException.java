package io.onefold;

import io.onefold.payload.ResultSerializer.StoredFailure;
import org.jspecify.annotations.Nullable;

/** The first execution failed for good; this is its failure, told again. */
public final class OperationFailedException extends OnefoldException {
    private static final long serialVersionUID = 1;

    private final transient StoredFailure failure;

    OperationFailedException(StoredFailure failure) {
        super(failure.type() + (failure.message() == null ? "" : ": " + failure.message()));
        this.failure = failure;
    }

    /** Class name of the exception that the first execution ended with. */
    public String type() {
        return failure.type();
    }

    public @Nullable String data() {
        return failure.data();
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.Failed<>(failure);
    }
}
