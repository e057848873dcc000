package io.onefold.spring;

import io.onefold.http.Problem;
import io.onefold.http.ProblemException;

/** A request brings a key that is not valid: nothing was run. */
public final class MalformedKeyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    MalformedKeyException(ProblemException rejection) {
        super(rejection.getMessage(), rejection);
        this.problem = rejection.problem();
    }

    public Problem problem() {
        return problem;
    }
}
