package io.onefold.server.gateway;

import io.onefold.http.HandlerResponse;
import io.onefold.http.Problem;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/** Decides what a missing response of the service means for an operation. */
final class UpstreamFailure {
    private UpstreamFailure() {}

    /**
     * Returns "not executed" only if that is certain: no byte was sent, or only those that secure a connection.
     *
     * @param answering true if the service had begun to respond
     */
    static HandlerResponse of(
            Throwable failure, SendProgress sending, boolean answering, GatewayResponseSender replies) {
        if (!sending.begun() || (failure instanceof SSLHandshakeException && !sending.committed())) {
            return replies.notExecuted(unreachable(failure));
        }
        return replies.unknown(answering ? silent(failure, "The answer of the service broke off.") : silent(failure))
                .because(failure);
    }

    /** Returns the problem for a request that was sent and got no response. */
    static Problem silent(Throwable failure) {
        return silent(
                failure,
                failure instanceof TimeoutException
                        ? "The service took the request and did not answer in time."
                        : "The service took the request and closed the connection without an answer.");
    }

    private static Problem silent(Throwable failure, String detail) {
        return new Problem(
                Problem.ProblemType.UPSTREAM_SILENT, failure instanceof TimeoutException ? 504 : 502, detail);
    }

    /** Returns the problem for a body that broke off while it was sent: only the service knows how much of it was processed. */
    static Problem ofBody(Throwable failure) {
        return failure instanceof TimeoutException
                ? new Problem(Problem.ProblemType.BODY_INVALID, 408, "The rest of the body did not come in time.")
                : Problem.of(Problem.ProblemType.BODY_INVALID, "The body is not what its head says, or broke off.");
    }

    static Problem unreachable(Throwable failure) {
        return failure instanceof RejectedExecutionException
                ? Problem.of(
                        Problem.ProblemType.OVERLOADED,
                        "Too many requests wait for the service; nothing was carried out.")
                : Problem.of(Problem.ProblemType.UPSTREAM_UNREACHABLE, "No connection to the service could be made.");
    }
}
