package io.onefold;

/** The request is a duplicate that gets no answer, or came without the right to run. */
public final class RejectedException extends OnefoldException {
    private static final long serialVersionUID = 1;

    private final Outcome.RejectionReason reason;
    private final String message;

    RejectedException(Outcome.RejectionReason reason, String message) {
        super(message);
        this.reason = reason;
        this.message = message;
    }

    public Outcome.RejectionReason reason() {
        return reason;
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.Rejected<>(reason, message);
    }
}
