package io.onefold.spring.boot;

import static io.onefold.spring.boot.ReactiveShopTest.REACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.jdbc.JdbcStore;
import io.onefold.spring.Idempotent;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.ForwardingStore;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.UpdateResult;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What the contract says of the requests of annotated handlers holds whoever claims. */
class HandlerPolicyTest {
    private static final String BODY = "{\"id\":\"a\"}";

    @ParameterizedTest
    @ValueSource(strings = {"/early", "/late", "/joined"})
    void a_key_that_handlers_do_not_see_protects_them(String path) throws Exception {
        try (Running shop = Running.start(Stripping.class)) {
            runsOnce(shop, path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/early", "/late"})
    void a_key_that_handlers_of_WebFlux_do_not_see_protects_them(String path) throws Exception {
        try (Running shop = Running.start(FlowingStripping.class, REACTIVE, "--onefold.store=memory")) {
            runsOnce(shop, path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/early", "/late"})
    void streams_of_WebFlux_pass_where_that_was_chosen(String path) throws Exception {
        try (Running shop = Running.start(FlowingStripping.class, REACTIVE, "--onefold.store=memory")) {
            HttpRequest request = shop.request(path, UUID.randomUUID().toString(), BODY)
                    .header("Accept", "text/event-stream")
                    .build();
            for (int run = 1; run <= 2; run++) {
                HttpResponse<String> answer = shop.client().send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(answer.body()).contains("data:" + run);
                assertThat(answer.headers().firstValue("Idempotent-Replayed")).isEmpty();
            }
        }
    }

    private static void runsOnce(Running shop, String path) throws Exception {
        String key = UUID.randomUUID().toString();
        HttpResponse<String> first = shop.post(path, key, BODY);
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        HttpResponse<String> second = shop.post(path, key, BODY);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(shop.bean(AtomicInteger.class)).hasValue(1);
    }

    @Test
    void what_a_handler_has_written_itself_is_not_replayed_as_nothing() throws Exception {
        try (Running shop = Running.start(Losing.class)) {
            String key = UUID.randomUUID().toString();
            assertThat(shop.post("/writes", key, BODY).body()).isEqualTo("written 1");
            HttpResponse<String> second = shop.post("/writes", key, BODY);
            assertThat(second.statusCode()).as(second.body()).isEqualTo(409);
            assertThat(second.body()).contains("result-not-replayable");
            assertThat(shop.bean(AtomicInteger.class)).hasValue(1);
        }
    }

    record Order(String id) {}

    @Application
    @Import(Handlers.class)
    static class Stripping {
        @Bean
        AtomicInteger runs() {
            return new AtomicInteger();
        }

        @Bean
        HttpContractCustomizer strips() {
            return HandlerPolicyTest::strips;
        }
    }

    @ReactiveApplication
    @Import(FlowingHandlers.class)
    static class FlowingStripping {
        @Bean
        AtomicInteger runs() {
            return new AtomicInteger();
        }

        @Bean
        HttpContractCustomizer strips() {
            return HandlerPolicyTest::strips;
        }
    }

    private static void strips(HttpContract.Builder contract) {
        contract.defaults(HttpPolicy.unchanged()
                .forward(HttpPolicy.KeyForwarding.STRIP)
                .streaming(HttpPolicy.StreamHandling.BYPASS));
    }

    @RestController
    static class Handlers {
        private final AtomicInteger runs;

        Handlers(AtomicInteger runs) {
            this.runs = runs;
        }

        @PostMapping("/early")
        @Idempotent(operation = "early")
        public int early(@RequestBody Order order) {
            return runs.incrementAndGet();
        }

        @PostMapping("/late")
        @Idempotent(operation = "late", bizId = "#order.id")
        public int late(@RequestBody Order order) {
            return runs.incrementAndGet();
        }

        @Transactional
        @PostMapping("/joined")
        @Idempotent(operation = "joined")
        public int joined(@RequestBody Order order) {
            return runs.incrementAndGet();
        }
    }

    @RestController
    static class FlowingHandlers {
        private final AtomicInteger runs;

        FlowingHandlers(AtomicInteger runs) {
            this.runs = runs;
        }

        @PostMapping("/early")
        @Idempotent(operation = "early")
        public Mono<Integer> early(@RequestBody Order order) {
            return Mono.fromCallable(runs::incrementAndGet);
        }

        @PostMapping("/late")
        @Idempotent(operation = "late", bizId = "#order.id")
        public Mono<Integer> late(@RequestBody Order order) {
            return Mono.fromCallable(runs::incrementAndGet);
        }
    }

    /** A store that loses what is added to a record after its transaction. */
    @Application
    @Import(Writer.class)
    static class Losing {
        @Bean
        AtomicInteger runs() {
            return new AtomicInteger();
        }

        @Bean
        Store losing(DataSource source) {
            return new ForwardingStore(JdbcStore.of(source)) {
                @Override
                public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
                    if (updates.stream().anyMatch(update -> update.change() instanceof Change.Amend)) {
                        throw new StoreException("lost on purpose");
                    }
                    return super.updateAll(updates);
                }
            };
        }
    }

    @RestController
    static class Writer {
        private final AtomicInteger runs;

        Writer(AtomicInteger runs) {
            this.runs = runs;
        }

        @Transactional
        @PostMapping("/writes")
        @Idempotent(operation = "writes")
        public void write(@RequestBody Order order, HttpServletResponse response) throws IOException {
            response.getWriter().write("written " + runs.incrementAndGet());
        }
    }
}
