package io.onefold.http;

/** A request that is refused before anything was claimed. */
public final class ProblemException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.type().address() + ": " + problem.detail(), null, false, false);
        this.problem = problem;
    }

    public ProblemException(Problem.ProblemType type, String detail) {
        this(Problem.of(type, detail));
    }

    public Problem problem() {
        return problem;
    }
}
