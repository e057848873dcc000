package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.spring.Idempotent;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** An outcome that becomes unknown is one line, whoever has claimed: the filter, the handler, or a job. */
class UnknownOutcomeLogTest {
    private static final String KEY = "secret-key-7";

    @ParameterizedTest
    @ValueSource(classes = {Servlet.class, Reactive.class})
    void a_handler_that_throws_leaves_one_line_with_operation_safe_key_node_cause_and_advice(Class<?> application)
            throws Exception {
        try (Running shop = Running.start(application, "--onefold.store=memory");
                Lines lines = new Lines()) {
            for (String operation : List.of("by-filter", "by-handler")) {
                assertThat(shop.post("/" + operation, KEY, "\"" + KEY + "\"").statusCode())
                        .isEqualTo(500);
                assertThat(shop.post("/" + operation, KEY, "\"" + KEY + "\"").statusCode())
                        .as("a duplicate, which is told so and logs nothing")
                        .isGreaterThanOrEqualTo(400);
                lines.only(operation);
            }
            if (application == Servlet.class) {
                Until.holds(() -> !lines.of("nightly").isEmpty());
                lines.only("nightly");
            }
        }
    }

    /** The lines of lost work, from when it was made. An application that starts forgets those who listened before. */
    private static final class Lines implements AutoCloseable {
        private final Logger logger = (Logger) LoggerFactory.getLogger("io.onefold.unknown");
        private final ListAppender<ILoggingEvent> all = new ListAppender<>();

        Lines() {
            all.start();
            logger.addAppender(all);
        }

        List<ILoggingEvent> of(String operation) {
            return List.copyOf(all.list).stream()
                    .filter(line -> line.getFormattedMessage().contains("operation " + operation + ","))
                    .toList();
        }

        void only(String operation) {
            assertThat(of(operation)).singleElement().satisfies(line -> {
                assertThat(line.getLevel()).isEqualTo(Level.WARN);
                assertThat(line.getFormattedMessage())
                        .containsPattern("key [0-9a-f]{12}, node [^ ]+, cause: ")
                        .contains("Onefold.settle")
                        .doesNotContain(KEY);
            });
        }

        @Override
        public void close() {
            logger.detachAppender(all);
        }
    }

    @Application
    @EnableScheduling
    @Import({ServletHandlers.class, Job.class})
    static class Servlet {}

    @ReactiveApplication
    @Import(ReactiveHandlers.class)
    static class Reactive {}

    @RestController
    static class ServletHandlers {
        @PostMapping("/by-filter")
        @Idempotent(operation = "by-filter")
        public String byFilter(@RequestBody String order) {
            throw new IllegalStateException("the line went dead");
        }

        @PostMapping("/by-handler")
        @Idempotent(operation = "by-handler", key = "#order")
        public String byHandler(@RequestBody String order) {
            throw new IllegalStateException("the line went dead");
        }
    }

    @RestController
    static class ReactiveHandlers {
        @PostMapping("/by-filter")
        @Idempotent(operation = "by-filter")
        public Mono<String> byFilter(@RequestBody String order) {
            return Mono.error(new IllegalStateException("the line went dead"));
        }

        @PostMapping("/by-handler")
        @Idempotent(operation = "by-handler", key = "#order")
        public Mono<String> byHandler(@RequestBody String order) {
            return Mono.error(new IllegalStateException("the line went dead"));
        }
    }

    static class Job {
        /** Each slot is a key. All that fail within a minute are one line. */
        @Scheduled(cron = "* * * * * *")
        @Idempotent(operation = "nightly")
        public void nightly() {
            throw new IllegalStateException("the line went dead");
        }
    }
}
