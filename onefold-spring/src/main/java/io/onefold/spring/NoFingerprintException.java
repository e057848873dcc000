package io.onefold.spring;

import org.jspecify.annotations.Nullable;

/** An argument has no fingerprint. The path to the unfit value is collected while the stack unwinds. */
final class NoFingerprintException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String problem;
    private final StringBuilder path = new StringBuilder();

    NoFingerprintException(String problem, @Nullable Throwable cause) {
        super(problem, cause);
        this.problem = problem;
    }

    NoFingerprintException within(String step) {
        boolean dot = !path.isEmpty() && path.charAt(0) != '[';
        path.insert(0, dot ? step + "." : step);
        return this;
    }

    @Override
    public String getMessage() {
        return path.isEmpty() ? problem : path + ": " + problem;
    }
}
