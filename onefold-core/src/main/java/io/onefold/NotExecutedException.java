package io.onefold;

import org.jspecify.annotations.Nullable;

/** The work's own word that it had no effect, so that the same request may be tried again. */
public class NotExecutedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotExecutedException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
