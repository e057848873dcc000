package io.onefold.server.gateway;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Serves health and metrics at the listener for clients, before anything is passed on. They do not count as requests in
 * progress, and are served during a drain.
 */
final class HealthAndMetricsHandler extends Handler.Wrapper {
    private final HealthAndMetrics vitals;
    private final GatewayResponseSender replies;

    HealthAndMetricsHandler(HealthAndMetrics vitals, GatewayResponseSender replies, Handler door) {
        super(door);
        this.vitals = vitals;
        this.replies = replies;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = String.valueOf(request.getHttpURI().getPath());
        if (!HealthAndMetrics.answers(request.getMethod(), path)) {
            return super.handle(request, response, callback);
        }
        var unused = vitals.answer(path)
                .thenAcceptAsync(
                        answer -> replies.send(answer, request, response, callback),
                        request.getComponents().getExecutor())
                .exceptionally(failure -> {
                    callback.failed(failure);
                    return null;
                });
        return true;
    }
}
