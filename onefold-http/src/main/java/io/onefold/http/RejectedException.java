package io.onefold.http;

/** A request that is refused before anything was claimed. */
public final class RejectedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    public RejectedException(Problem problem) {
        super(problem.type().address() + ": " + problem.detail(), null, false, false);
        this.problem = problem;
    }

    public RejectedException(Problem.Type type, String detail) {
        this(Problem.of(type, detail));
    }

    public Problem problem() {
        return problem;
    }
}
