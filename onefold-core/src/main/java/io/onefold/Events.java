package io.onefold;

import io.onefold.store.RecordId;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners, and writes one line for each duplicate that was answered or refused. */
final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Onefold.class);
    private static final Logger DUPLICATES = LoggerFactory.getLogger("io.onefold.duplicates");

    private final List<Listener> listeners;

    Events(List<Listener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    void tell(Event.Kind kind, RecordId id, long nanos) {
        if (listeners.isEmpty()) {
            return;
        }
        Event event = new Event(kind, id, Duration.ofNanos(Math.max(0, nanos)));
        for (Listener listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                LOG.warn("a listener failed on {} of {} and was ignored", kind, id, e);
            }
        }
    }

    void duplicate(Event.Kind kind, RecordId id, long nanos) {
        if (DUPLICATES.isInfoEnabled()) {
            DUPLICATES.info("{} duplicate of {} key {}", kind, id.operation(), id.safe());
        }
        tell(kind, id, nanos);
    }
}
