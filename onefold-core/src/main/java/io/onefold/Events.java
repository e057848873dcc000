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
    private final Timer timer;

    Events(List<Listener> listeners, Timer timer) {
        this.timer = timer;
        this.listeners = List.copyOf(listeners);
    }

    /** Tells of something that has no duration. */
    void tell(Event.Kind kind, RecordId id) {
        tell(kind, id, listeners.isEmpty() ? 0 : timer.nanos());
    }

    void tell(Event.Kind kind, RecordId id, long began) {
        if (listeners.isEmpty()) {
            return;
        }
        Event event = new Event(kind, id, Duration.ofNanos(timer.nanos() - began));
        for (Listener listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                LOG.warn("a listener failed on {} of {} and was ignored", kind, id, e);
            }
        }
    }

    void duplicate(Event.Kind kind, RecordId id, long began) {
        if (DUPLICATES.isInfoEnabled()) {
            DUPLICATES.info("{} {} key {}", kind, id.operation(), id.safe());
        }
        tell(kind, id, began);
    }
}
