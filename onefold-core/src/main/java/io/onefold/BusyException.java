package io.onefold;

import java.time.Duration;

/** Somebody is at work on the same request; asking again later will tell. */
public final class BusyException extends OnefoldException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    BusyException(Duration retryAfter) {
        super("the same request is in progress; ask again after " + retryAfter);
        this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
        return retryAfter;
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.Busy<>(retryAfter);
    }
}
