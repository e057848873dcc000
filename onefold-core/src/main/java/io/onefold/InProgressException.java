package io.onefold;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Somebody is at work on the same request; asking again later will tell. */
public final class InProgressException extends OnefoldException {
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;
    private final @Nullable String words;

    InProgressException(Duration retryAfter) {
        super("the same request is in progress; ask again after " + retryAfter);
        this.retryAfter = retryAfter;
        this.words = null;
    }

    private InProgressException(Duration retryAfter, String words) {
        super(words);
        this.retryAfter = retryAfter;
        this.words = words;
    }

    /** The same, in the application's own words for whoever asked. */
    public InProgressException saying(String words) {
        return new InProgressException(retryAfter, words);
    }

    /** The application's own words; null if it has none. */
    public @Nullable String words() {
        return words;
    }

    public Duration retryAfter() {
        return retryAfter;
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.InProgress<>(retryAfter);
    }
}
