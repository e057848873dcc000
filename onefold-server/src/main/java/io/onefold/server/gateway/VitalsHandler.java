package io.onefold.server.gateway;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Health and metrics where clients come, before all that is passed on. They are no flights, and are told while others end. */
final class VitalsHandler extends Handler.Wrapper {
    private final Vitals vitals;
    private final Replies replies;

    VitalsHandler(Vitals vitals, Replies replies, Handler door) {
        super(door);
        this.vitals = vitals;
        this.replies = replies;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = String.valueOf(request.getHttpURI().getPath());
        if (!Vitals.answers(request.getMethod(), path)) {
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
