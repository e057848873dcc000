package io.onefold.http;

/** Hears what becomes of requests, for metrics. What it throws is logged and hurts nobody. */
public interface HttpListener {
    /** A request passed without protection. */
    default void passed(RequestPlan.PassReason why) {}

    /** A request was let through although the store could not be reached. */
    default void unprotected() {}

    /** A request got an answer of Onefold's own. */
    default void refused(Problem.ProblemType why) {}

    /** A request was handled. */
    default void executed() {}

    /** A request got an earlier answer. */
    default void replayed() {}
}
