package io.onefold;

/** The operation succeeded before, but its result was too large or could not be written, so it was not kept. */
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
