package io.onefold;

import io.onefold.store.PayloadRejectedException;
import io.onefold.store.RecordId;
import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Encodes the end of an execution for the store. */
final class ResultEncoder<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ResultEncoder.class);
    private static final int MAX_MESSAGE = 1_000;

    private final EngineContext engine;
    private final Operation<T> operation;
    private final RecordId id;
    private @Nullable PayloadRejectedException refusal;

    ResultEncoder(EngineContext engine, Operation<T> operation, RecordId id) {
        this.engine = engine;
        this.operation = operation;
        this.id = id;
    }

    /**
     * Returns true if the store has rejected the payload for good, for the first time. Results and failures are stored
     * without it from now on.
     */
    boolean leavesOut(RuntimeException failure) {
        if (refusal != null || !(failure instanceof PayloadRejectedException refused)) {
            return false;
        }
        refusal = refused;
        return true;
    }

    ResultPayload result(@Nullable T value) {
        if (refusal != null) {
            return refused(refusal);
        }
        byte[] context = EngineContext.context(id, Status.SUCCESS);
        return engine.results().value(value, operation.type(), operation.settings().maxResultBytes, context);
    }

    /** A result that the store refuses: it is done, and not kept. */
    ResultPayload refused(PayloadRejectedException because) {
        byte[] context = EngineContext.context(id, Status.SUCCESS);
        return engine.results().refused(operation.name(), String.valueOf(because.getMessage()), context);
    }

    /** A failure whose text or data the store refuses: what is left says that it failed, and by what. */
    ResultPayload refusedFailure(Throwable thrown) {
        LOG.warn("the store refuses the text or data of a failure of {}: they are not kept", id);
        byte[] context = EngineContext.context(id, Status.FAILED);
        return engine.results().failure(thrown.getClass().getName(), null, null, context);
    }

    ResultPayload failure(Throwable thrown) {
        if (refusal != null) {
            return refusedFailure(thrown);
        }
        String data = null;
        try {
            data = operation.settings().failureData.apply(thrown);
        } catch (RuntimeException e) {
            LOG.warn("the data of a failure of {} could not be had", id, e);
        }
        byte[] context = EngineContext.context(id, Status.FAILED);
        String message = thrown.getMessage();
        String kept = message == null || message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE);
        return engine.results().failure(thrown.getClass().getName(), kept, data, context);
    }
}
