package io.onefold.server.gateway;

import java.util.function.BooleanSupplier;
import org.eclipse.jetty.client.Request;

/** The progress of sending a request: before it has begun, the service cannot have seen any of it. */
final class SendProgress {
    private static final String ATTRIBUTE = SendProgress.class.getName();

    private volatile boolean begun;
    private volatile boolean committed;

    private SendProgress() {}

    static SendProgress of(Request request) {
        return of(request, () -> false);
    }

    /**
     * @param stale true if the request must not be sent any more; asked when its turn has come, since it may have waited
     *     long for a connection
     */
    static SendProgress of(Request request, BooleanSupplier stale) {
        if (request.getAttributes().get(ATTRIBUTE) instanceof SendProgress known) {
            return known;
        }
        SendProgress sending = new SendProgress();
        request.attribute(ATTRIBUTE, sending)
                .onRequestBegin(begins -> {
                    if (stale.getAsBoolean()) {
                        var unused =
                                begins.abort(new IllegalStateException("its lease was lost before it could be sent"));
                    } else {
                        sending.begun = true;
                    }
                })
                .onRequestCommit(committed -> sending.committed = true);
        return sending;
    }

    /** Returns true if a byte may have been sent. */
    boolean begun() {
        return begun;
    }

    /** Returns true if all headers were sent. */
    boolean committed() {
        return committed;
    }
}
