package io.onefold.server.gateway;

import io.onefold.http.Problem;
import io.onefold.http.Produced;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/** What it means for an operation that the service did not answer. */
final class Failure {
    private Failure() {}

    /**
     * Not executed only if it is certain: no byte was sent, or only those with which a connection is secured.
     *
     * @param answering whether the service had begun to answer
     */
    static Produced of(Throwable failure, Sending sending, boolean answering, Replies replies) {
        if (!sending.begun() || (failure instanceof SSLHandshakeException && !sending.committed())) {
            return replies.notExecuted(unreachable(failure));
        }
        return replies.unknown(answering ? silent(failure, "The answer of the service broke off.") : silent(failure));
    }

    /** It was sent, and not answered. */
    static Problem silent(Throwable failure) {
        return silent(
                failure,
                failure instanceof TimeoutException
                        ? "The service took the request and did not answer in time."
                        : "The service took the request and closed the connection without an answer.");
    }

    private static Problem silent(Throwable failure, String detail) {
        return new Problem(Problem.Type.UPSTREAM_SILENT, failure instanceof TimeoutException ? 504 : 502, detail);
    }

    static Problem unreachable(Throwable failure) {
        return failure instanceof RejectedExecutionException
                ? Problem.of(
                        Problem.Type.OVERLOADED, "Too many requests wait for the service; nothing was carried out.")
                : Problem.of(Problem.Type.UPSTREAM_UNREACHABLE, "No connection to the service could be made.");
    }
}
