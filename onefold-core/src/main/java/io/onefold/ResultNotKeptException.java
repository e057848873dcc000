package io.onefold;

/** The operation succeeded before, but its result was too large, could not be written, or did not read back as itself, so it was not kept. */
public final class ResultNotKeptException extends OnefoldException {
    private static final long serialVersionUID = 1;

    ResultNotKeptException() {
        super("the operation succeeded before, but its result was not kept");
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.Replayed<>(null, false);
    }
}
