package io.onefold;

/** The request is a duplicate that gets no answer, or came without the right to run. */
public final class RefusedException extends OnefoldException {
    private static final long serialVersionUID = 1;

    private final Outcome.Reason reason;
    private final String message;

    RefusedException(Outcome.Reason reason, String message) {
        super(message);
        this.reason = reason;
        this.message = message;
    }

    public Outcome.Reason reason() {
        return reason;
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.Refused<>(reason, message);
    }
}
