package io.onefold.store;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a class has written to the log. */
final class Heard implements AutoCloseable {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger;
    private final @Nullable Level before;

    Heard(Class<?> of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        before = logger.getLevel();
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
    }

    List<Level> levels() {
        return lines.list.stream().map(ILoggingEvent::getLevel).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
        logger.setLevel(before);
    }
}
