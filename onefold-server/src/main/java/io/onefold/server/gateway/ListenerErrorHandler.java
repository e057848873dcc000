package io.onefold.server.gateway;

import io.onefold.http.Problem;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Responds to requests that the listener rejects by itself, in the usual form; nothing of the request is repeated. */
final class ListenerErrorHandler implements Request.Handler {
    private final GatewayResponseSender replies;

    ListenerErrorHandler(GatewayResponseSender replies) {
        this.replies = replies;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        replies.problem(problem(response.getStatus()), request, response, callback);
        return true;
    }

    private static Problem problem(int status) {
        if (status == 500) {
            return new Problem(
                    Problem.ProblemType.UPSTREAM_SILENT,
                    status,
                    "The gateway has failed; nobody knows whether the request was carried out.");
        }
        return new Problem(Problem.ProblemType.REQUEST_INVALID, status, detail(status));
    }

    private static String detail(int status) {
        return switch (status) {
            case 408 -> "The request did not come in time; nothing was carried out.";
            case 414 -> "The address is longer than is taken; nothing was carried out.";
            case 431 -> "The headers are larger than is taken; nothing was carried out.";
            case 505 -> "HTTP/1.1 is spoken here; nothing was carried out.";
            default -> "The request is not one that is understood here; nothing was carried out.";
        };
    }
}
