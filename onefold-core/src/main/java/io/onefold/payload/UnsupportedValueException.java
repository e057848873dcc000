package io.onefold.payload;

import org.jspecify.annotations.Nullable;

/**
 * A type or value that cannot be written or read as declared. The path is collected while the stack unwinds, so that
 * the way down costs nothing.
 */
final class UnsupportedValueException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String problem;
    private final StringBuilder path = new StringBuilder();

    UnsupportedValueException(String problem) {
        this(problem, null);
    }

    UnsupportedValueException(String problem, @Nullable Throwable cause) {
        super(problem, cause);
        this.problem = problem;
    }

    UnsupportedValueException within(String segment) {
        boolean dot = path.length() > 0 && path.charAt(0) != '[';
        path.insert(0, dot ? segment + "." : segment);
        return this;
    }

    @Override
    public String getMessage() {
        return path.length() == 0 ? problem : problem + " (at " + path + ")";
    }
}
