package io.onefold;

import java.time.Instant;

/** An earlier attempt was lost in mid-work, and nobody knows yet whether it had its effect. */
public final class UnknownOutcomeException extends OnefoldException {
    private static final long serialVersionUID = 1;

    private final Instant since;

    UnknownOutcomeException(Instant since) {
        super("the outcome of an earlier attempt is unknown since " + since + "; it will be settled, not repeated");
        this.since = since;
    }

    public Instant since() {
        return since;
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.Unknown<>(since);
    }
}
