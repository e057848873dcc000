package io.onefold;

import io.onefold.store.RecordId;
import org.jspecify.annotations.Nullable;

/** An outcome without a value, for callers who asked for the value. */
public abstract class OnefoldException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private @Nullable String subject;

    OnefoldException(String message) {
        super(message);
    }

    /** The outcome that this stands for. */
    public abstract Outcome<?> outcome();

    /** Names the record in the message, by its safe form. */
    final OnefoldException about(RecordId id) {
        subject = id.operation() + " key " + id.safe();
        return this;
    }

    @Override
    public @Nullable String getMessage() {
        return subject == null ? super.getMessage() : subject + ": " + super.getMessage();
    }
}
