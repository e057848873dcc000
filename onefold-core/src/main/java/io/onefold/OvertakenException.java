package io.onefold;

import org.jspecify.annotations.Nullable;

/** The work ran, but its claim had been settled or taken over meanwhile: the record holds another answer than this one. */
public final class OvertakenException extends OnefoldException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Object value;

    OvertakenException(@Nullable Object value) {
        super("the work ran to its end, but its claim had been settled or taken over meanwhile");
        this.value = value;
    }

    /** Returns the value that the work returned. */
    public @Nullable Object value() {
        return value;
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.Overtaken<>(value);
    }
}
