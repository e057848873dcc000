package io.onefold;

import org.jspecify.annotations.Nullable;

/** The word of whoever stands before the work that it was not even begun: the same request may be tried again, and as often as it likes. */
public class WorkNotStartedException extends NotExecutedException {
    private static final long serialVersionUID = 1;

    public WorkNotStartedException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
