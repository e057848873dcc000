package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The lines of lost work, from when this was made. */
final class UnknownOutcomeLines implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.onefold.unknown");
    private final ListAppender<ILoggingEvent> all = new ListAppender<>();

    UnknownOutcomeLines() {
        logger.setLevel(Level.WARN);
        all.start();
        logger.addAppender(all);
    }

    /** However often the message has come again: what has failed, and what to do, without the key. */
    void only(String operation, String key) {
        assertThat(List.copyOf(all.list).stream()
                        .filter(line -> line.getFormattedMessage().contains("operation " + operation + ",")))
                .singleElement()
                .satisfies(line -> {
                    assertThat(line.getLevel()).isEqualTo(Level.WARN);
                    assertThat(line.getFormattedMessage())
                            .containsPattern("key [0-9a-f]{12}, node [^ ]+, cause: the work threw [^ ]+Exception")
                            .contains("OutcomeProbe", "Onefold.settle")
                            .doesNotContain(key);
                });
    }

    @Override
    public void close() {
        logger.detachAppender(all);
        logger.setLevel(null);
    }
}
