package io.onefold;

import io.onefold.store.Payload;
import io.onefold.store.PayloadRefusedException;
import io.onefold.store.RecordId;
import io.onefold.store.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How an execution ended, as it is stored. */
record Ending<T>(Engine engine, Operation<T> operation, RecordId id) {
    private static final Logger LOG = LoggerFactory.getLogger(Ending.class);
    private static final int MAX_MESSAGE = 1_000;

    Payload result(@Nullable T value) {
        byte[] context = Engine.context(id, Status.SUCCESS);
        return engine.results().value(value, operation.type(), operation.settings().maxResultBytes, context);
    }

    /** A result that the store refuses: it is done, and not kept. */
    Payload refused(PayloadRefusedException because) {
        byte[] context = Engine.context(id, Status.SUCCESS);
        return engine.results().refused(operation.name(), String.valueOf(because.getMessage()), context);
    }

    /** A failure whose text or data the store refuses: what is left says that it failed, and by what. */
    Payload refusedFailure(Throwable thrown) {
        LOG.warn("the store refuses the text or data of a failure of {}: they are not kept", id);
        byte[] context = Engine.context(id, Status.FAILED);
        return engine.results().failure(thrown.getClass().getName(), null, null, context);
    }

    Payload failure(Throwable thrown) {
        String data = null;
        try {
            data = operation.settings().failureData.apply(thrown);
        } catch (RuntimeException e) {
            LOG.warn("the data of a failure of {} could not be had", id, e);
        }
        byte[] context = Engine.context(id, Status.FAILED);
        String message = thrown.getMessage();
        String kept = message == null || message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE);
        return engine.results().failure(thrown.getClass().getName(), kept, data, context);
    }
}
