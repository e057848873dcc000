package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
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
import reactor.core.scheduler.Schedulers;

/** An outcome that becomes unknown is one line, whoever has claimed: the filter, the handler, or a job. */
@Timeout(120)
class UnknownOutcomeLogTest {
    private static final String KEY = "secret-key-7";
    private static final String BODY = '"' + KEY + '"';

    @ParameterizedTest
    @ValueSource(classes = {Servlet.class, Reactive.class})
    void one_line_has_operation_safe_key_node_cause_and_advice(Class<?> application) throws Exception {
        boolean servlet = application == Servlet.class;
        try (Running shop = Running.start(
                        application,
                        "--onefold.store=memory",
                        "--onefold.http.routes[0].path=/by-route",
                        "--onefold.http.routes[0].operation=by-route",
                        "--onefold.http.routes[0].on-5xx=unknown",
                        "--spring.main.web-application-type=" + (servlet ? "servlet" : "reactive"));
                Lines lines = new Lines()) {
            assertThat(shop.post("/by-route", KEY, BODY).statusCode()).isEqualTo(500);
            assertThat(shop.post("/by-route", KEY, BODY).statusCode())
                    .as("a duplicate, which is told so and logs nothing")
                    .isGreaterThanOrEqualTo(400);
            lines.only("by-route", "IllegalStateException");
            List<CompletableFuture<HttpResponse<String>>> first = Stream.of("/by-filter", "/by-handler")
                    .map(path -> shop.postLater(path, KEY, BODY))
                    .toList();
            Gate gate = shop.bean(Gate.class);
            assertThat(gate.started.await(60, TimeUnit.SECONDS)).isTrue();
            for (String operation : List.of("by-filter", "by-handler")) {
                while (lines.of(operation).isEmpty()) {
                    assertThat(shop.post("/" + operation, KEY, BODY).statusCode())
                            .as("a duplicate, until one finds the lease at its end")
                            .isGreaterThanOrEqualTo(400);
                }
                assertThat(shop.post("/" + operation, KEY, BODY).statusCode()).isGreaterThanOrEqualTo(400);
                lines.only(operation, "lease");
            }
            gate.open.countDown();
            first.forEach(CompletableFuture::join);
            if (servlet) {
                Until.holds(() -> !lines.of("nightly").isEmpty());
                lines.only("nightly", "IllegalStateException");
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

        void only(String operation, String cause) {
            assertThat(of(operation)).singleElement().satisfies(line -> {
                assertThat(line.getLevel()).isEqualTo(Level.WARN);
                assertThat(line.getFormattedMessage())
                        .containsPattern("key [0-9a-f]{12}, node [^ ]+, cause: .*" + cause)
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
    @Import({Gate.class, ServletHandlers.class, Job.class})
    static class Servlet {}

    @ReactiveApplication
    @Import({Gate.class, ReactiveHandlers.class})
    static class Reactive {}

    static class Gate {
        private final CountDownLatch started = new CountDownLatch(2);
        private final CountDownLatch open = new CountDownLatch(1);

        String pass() throws InterruptedException {
            started.countDown();
            if (!open.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the gate stayed closed");
            }
            return "passed";
        }
    }

    @RestController
    static class ServletHandlers {
        private final Gate gate;

        ServletHandlers(Gate gate) {
            this.gate = gate;
        }

        @PostMapping("/by-route")
        public String byRoute(@RequestBody String order) {
            throw new IllegalStateException("the line went dead");
        }

        @PostMapping("/by-filter")
        @Idempotent(operation = "by-filter", waitFor = "0s", lease = "1s", maxRun = "1s")
        public String byFilter(@RequestBody String order) throws InterruptedException {
            return gate.pass();
        }

        @PostMapping("/by-handler")
        @Idempotent(operation = "by-handler", key = "#order", waitFor = "0s", lease = "1s", maxRun = "1s")
        public String byHandler(@RequestBody String order) throws InterruptedException {
            return gate.pass();
        }
    }

    @RestController
    static class ReactiveHandlers {
        private final Gate gate;

        ReactiveHandlers(Gate gate) {
            this.gate = gate;
        }

        @PostMapping("/by-route")
        public Mono<String> byRoute(@RequestBody String order) {
            return Mono.error(new IllegalStateException("the line went dead"));
        }

        @PostMapping("/by-filter")
        @Idempotent(operation = "by-filter", waitFor = "0s", lease = "1s", maxRun = "1s")
        public Mono<String> byFilter(@RequestBody String order) {
            return Mono.fromCallable(() -> gate.pass()).subscribeOn(Schedulers.boundedElastic());
        }

        @PostMapping("/by-handler")
        @Idempotent(operation = "by-handler", key = "#order", waitFor = "0s", lease = "1s", maxRun = "1s")
        public Mono<String> byHandler(@RequestBody String order) {
            return Mono.fromCallable(() -> gate.pass()).subscribeOn(Schedulers.boundedElastic());
        }
    }

    static class Job {
        private final Gate gate;

        Job(Gate gate) {
            this.gate = gate;
        }

        /** Each slot is a key. All that fail within a minute are one line. */
        @Scheduled(cron = "* * * * * *")
        @Idempotent(operation = "nightly")
        public void nightly() {
            if (gate.open.getCount() == 0) {
                throw new IllegalStateException("the line went dead");
            }
        }
    }
}
