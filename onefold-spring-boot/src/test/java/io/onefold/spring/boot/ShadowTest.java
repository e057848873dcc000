package io.onefold.spring.boot;

import static io.onefold.spring.boot.ReactiveShopTest.MEMORY;
import static io.onefold.spring.boot.ReactiveShopTest.REACTIVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.DuplicatePolicy;
import io.onefold.spring.Idempotent;
import io.onefold.store.RecordFilter;
import io.onefold.store.Status;
import io.onefold.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Applications that are only observed. */
@ExtendWith(OutputCaptureExtension.class)
class ShadowTest {
    private static final String SHADOW = "--onefold.mode=shadow";
    private static final String COVER_ALL = "--onefold.http.cover=all";
    private static final String PAYMENT = "{\"id\":\"p\",\"amount\":1}";
    private static final String OTHER = "{\"id\":\"p\",\"amount\":2}";

    private static void told(CapturedOutput output, String... lines) throws InterruptedException {
        for (String line : lines) {
            Until.holds(() -> output.getOut().contains(line));
        }
    }

    /** What has ended is written down beside the call, a little later: who comes before that meets what is under way. */
    private static void noted(Running shop, Status status, String operation) throws InterruptedException {
        RecordFilter ended = RecordFilter.of(status).operation("shadow:" + operation);
        Until.holds(() -> !shop.bean(Store.class).list(ended, null, 1).records().isEmpty());
    }

    @Test
    void requests_of_handlers_and_routes_pass_unchanged_and_what_would_become_of_them_is_told(CapturedOutput output)
            throws Exception {
        try (Running shop = Running.start(Shop.class, SHADOW, COVER_ALL, "--onefold.http.required=true")) {
            Map<String, String> operations = Map.of("/pay", "pay", "/orders", "create-order", "/notes", "POST /notes");
            for (String path : operations.keySet()) {
                for (String body : List.of(PAYMENT, PAYMENT, OTHER)) {
                    HttpResponse<String> answer = shop.post(path, "k", body);
                    assertThat(answer.statusCode()).isLessThan(300);
                    assertThat(answer.headers().map().keySet())
                            .noneMatch(name -> name.contains("idempoten") || name.contains("onefold"));
                    noted(shop, Status.SUCCESS, String.valueOf(operations.get(path)));
                }
            }
            shop.post("/notes", "", PAYMENT);
            shop.post("/notes", "\"", PAYMENT);
            for (String name : operations.values()) {
                told(
                        output,
                        name + ": a duplicate ran, which would get the first answer",
                        name + ": a key was used for another request, which would be refused");
            }
            told(
                    output,
                    "POST /notes: a call ran, which would be refused: 400 An idempotency key is needed",
                    "POST /notes: a call ran, which would be refused: 400 The idempotency key is not valid");
            assertThat(output)
                    .contains("POST /notes: shadow (observed only), by its route")
                    .doesNotContain("Nobody can observe");
        }
    }

    @Test
    void the_same_in_webflux_whatever_handlers_return(CapturedOutput output) throws Exception {
        try (Running shop = Running.start(
                ReactiveShop.class, REACTIVE, MEMORY, SHADOW, COVER_ALL, "--onefold.http.principal=anonymous")) {
            for (String path : List.of("/pay", "/orders", "/batches", "/blocking")) {
                for (String body : List.of(PAYMENT, PAYMENT, OTHER)) {
                    HttpResponse<String> answer = shop.post(path, "k", body);
                    assertThat(answer.statusCode()).as(path).isEqualTo(200);
                    assertThat(answer.body()).contains("\"id\":\"p\"");
                    assertThat(answer.headers().map().keySet())
                            .noneMatch(name -> name.contains("idempoten") || name.contains("onefold"));
                }
            }
            assertThat(shop.bean(AtomicInteger.class)).hasValue(3 + 3 + 6 + 3);
            for (String name : List.of("pay", "order", "batch", "blocking")) {
                told(
                        output,
                        name + ": a duplicate ran, which would get the first answer",
                        name + ": a key was used for another request, which would be refused");
            }
        }
    }

    @Test
    void the_guards_of_a_handler_leave_its_key_free(CapturedOutput output) throws Exception {
        try (Running shop = Running.start(Desk.class, SHADOW, MEMORY)) {
            assertThat(shop.post("/streamed", "k", PAYMENT).statusCode()).isEqualTo(400);
            assertThat(shop.post("/streamed?what=a", "k", PAYMENT).body()).isEqualTo("streamed");
            shop.post("/streamed?what=a", "k", PAYMENT);
            told(output, "streamed: a duplicate ran, which would get the first answer");
            assertThat(output).doesNotContain("a key was used");
        }
    }

    @Test
    void forms_are_compared_where_the_container_reads_them(CapturedOutput output) throws Exception {
        for (Class<?> application : List.of(Desk.class, ReactiveDesk.class)) {
            String[] arguments = application == Desk.class
                    ? new String[] {SHADOW, MEMORY, COVER_ALL}
                    : new String[] {SHADOW, MEMORY, COVER_ALL, REACTIVE};
            try (Running shop = Running.start(application, arguments)) {
                String name = "POST /forms";
                for (String form : List.of("what=a", "what=a", "what=b")) {
                    HttpRequest request = shop.request("/forms", "k", form)
                            .setHeader("Content-Type", "application/x-www-form-urlencoded")
                            .build();
                    assertThat(shop.client()
                                    .send(request, HttpResponse.BodyHandlers.ofString())
                                    .body())
                            .isEqualTo(form.substring(5));
                }
                int from = output.getOut().lastIndexOf("in shadow: nothing is changed");
                Until.holds(() -> output.getOut().indexOf(name + ": a duplicate ran", from) > 0
                        && output.getOut().indexOf(name + ": a key was used", from) > 0);
            }
        }
    }

    @Test
    void calls_of_methods_are_told_as_they_end(CapturedOutput output) throws Exception {
        try (Running shop = Running.start(Desk.class, SHADOW)) {
            Work work = shop.bean(Work.class);
            assertThatThrownBy(() -> work.joined("k")).hasMessage("first");
            noted(shop, Status.FREE, "joined");
            assertThat(work.joined("k")).isEqualTo(2);
            noted(shop, Status.SUCCESS, "joined");
            assertThat(work.joined("k")).isEqualTo(3);
            told(output, "joined: a duplicate ran, which would get the first answer");
            assertThat(work.once("k")).isEqualTo(4);
            noted(shop, Status.SUCCESS, "once");
            assertThat(work.once("k")).isEqualTo(5);
            told(output, "once: a duplicate ran, which would be refused: only once");
            work.once("");
            told(output, "once: a call ran, which would be refused: Work.once was called without a key");
            assertThat(output.getOut().split("joined: a duplicate", -1)).hasSize(2);
            assertThat(output).doesNotContain("\tat ");
        }
    }

    @Test
    void what_was_observed_answers_nobody_when_protection_is_switched_on() throws Exception {
        try (Running shop = Running.start(Shop.class, SHADOW, COVER_ALL)) {
            for (String path : List.of("/pay", "/notes", "/orders")) {
                shop.post(path, "k", PAYMENT);
            }
            shop.context()
                    .getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("changed", Map.of("onefold.mode", "enforce")));
            shop.bean(SettingsRefresher.class).refresh();
            for (String path : List.of("/pay", "/notes", "/orders")) {
                assertThat(shop.post(path, "k", PAYMENT).headers().firstValue("Idempotent-Replayed"))
                        .isEmpty();
                assertThat(shop.post(path, "k", PAYMENT).headers().firstValue("Idempotent-Replayed"))
                        .contains("true");
            }
        }
    }

    static class Work {
        private final AtomicInteger runs = new AtomicInteger();

        @Transactional
        @Idempotent(operation = "joined", key = "#id")
        public int joined(String id) {
            int run = runs.incrementAndGet();
            if (run == 1) {
                throw new IllegalStateException("first");
            }
            return run;
        }

        @Idempotent(operation = "once", key = "#id", duplicates = DuplicatePolicy.REJECT, message = "only once")
        public int once(String id) {
            return runs.incrementAndGet();
        }
    }

    @Application
    @Import(Desk.Handlers.class)
    static class Desk {
        @Bean
        Work work() {
            return new Work();
        }

        @RestController
        static class Handlers {
            /** What it returns can be kept by nobody but the filter. */
            @PostMapping("/streamed")
            @Idempotent(operation = "streamed")
            public StreamingResponseBody streamed(@RequestParam String what, @RequestBody String body) {
                return out -> out.write("streamed".getBytes(StandardCharsets.US_ASCII));
            }

            @PostMapping("/forms")
            public String form(@RequestParam String what) {
                return what;
            }
        }
    }

    @ReactiveApplication
    @Import(ReactiveDesk.Handlers.class)
    static class ReactiveDesk {
        record Form(String what) {}

        @RestController
        static class Handlers {
            @PostMapping("/forms")
            public String form(Form form) {
                return form.what();
            }
        }
    }
}
