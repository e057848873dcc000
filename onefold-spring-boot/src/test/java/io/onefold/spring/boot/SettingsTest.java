package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.RejectedException;
import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;

/** Applications that are configured otherwise. */
@ExtendWith(OutputCaptureExtension.class)
class SettingsTest {
    private static final String PAYMENT = "{\"id\":\"p\",\"amount\":1}";

    @Test
    void beans_may_be_made_when_they_are_needed(CapturedOutput output) throws Exception {
        try (Running shop = Running.start(Shop.class, "--spring.main.lazy-initialization=true")) {
            assertThat(output).contains("Onefold on JdbcStore").contains("POST /notes");
            for (String path : List.of("/pay", "/orders")) {
                HttpResponse<String> first = shop.post(path, "k", PAYMENT);
                HttpResponse<String> again = shop.post(path, "k", PAYMENT);
                assertThat(again.body()).isEqualTo(first.body());
            }
            assertThat(shop.bean(Shop.Runs.class).of("p")).isEqualTo(2);
            assertThat(shop.bean(MaintenanceLifecycle.class).isRunning()).isTrue();
        }
    }

    @Test
    void all_handlers_may_be_covered() throws Exception {
        try (Running shop = Running.start(Shop.class, "--onefold.http.cover=all", "--spring.mvc.servlet.path=/api")) {
            shop.post("/api/notes", "k", PAYMENT);
            HttpResponse<String> again = shop.post("/api/notes", "k", PAYMENT);
            assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(shop.bean(Shop.Runs.class).of("p")).isEqualTo(1);
            shop.post("/api/pay", "k", PAYMENT);
            shop.post("/api/pay", "k", PAYMENT);
            assertThat(shop.bean(Shop.Runs.class).of("p")).isEqualTo(2);
        }
    }

    /** The filter claims for the first handler, the second for itself. */
    @Test
    void a_replay_may_be_marked_by_another_header() throws Exception {
        String marker = "Idempotency-Replayed";
        try (Running shop = Running.start(Shop.class, "--onefold.http.replay-marker=" + marker)) {
            for (String path : List.of("/pay", "/orders")) {
                assertThat(shop.post(path, "k", PAYMENT).headers().map()).doesNotContainKey(marker);
                HttpResponse<String> again = shop.post(path, "k", PAYMENT);
                assertThat(again.headers().allValues(marker)).as(path).containsExactly("true");
                assertThat(again.headers().firstValue("Idempotent-Replayed"))
                        .as(path)
                        .isEmpty();
            }
        }
    }

    @Test
    void a_configured_route_is_covered_as_its_operation_is_configured(CapturedOutput output) throws Exception {
        try (Running shop = Running.start(
                Shop.class,
                "--onefold.http.routes[0].path=/notes",
                "--onefold.http.routes[0].operation=note",
                "--onefold.http.routes[0].required=true",
                "--onefold.operations.note.duplicates=reject",
                "--onefold.operations.note.message=once is enough")) {
            assertThat(shop.post("/notes", "", PAYMENT).statusCode()).isEqualTo(400);
            assertThat(shop.post("/notes", "k", PAYMENT).statusCode()).isEqualTo(200);
            HttpResponse<String> again = shop.post("/notes", "k", PAYMENT);
            assertThat(again.statusCode()).isEqualTo(409);
            assertThat(again.body()).contains("once is enough");
            assertThat(output)
                    .contains("note: leased (at most once), by its route")
                    .doesNotContain("POST /notes");
        }
    }

    @Test
    void policies_can_be_changed_while_the_application_runs() throws Exception {
        try (Running shop = Running.start(Shop.class)) {
            shop.post("/pay", "k", PAYMENT);
            shop.post("/orders", "k", PAYMENT);
            shop.context()
                    .getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "changed",
                            Map.of("onefold.defaults.duplicates", "reject", "onefold.defaults.message", "only once")));
            shop.bean(SettingsRefresher.class).refresh();
            for (String path : List.of("/pay", "/orders")) {
                HttpResponse<String> refused = shop.post(path, "k", PAYMENT);
                assertThat(refused.statusCode()).as(path).isEqualTo(409);
                assertThat(refused.body()).contains("only once");
            }
            shop.context().getEnvironment().getPropertySources().remove("changed");
            shop.bean(SettingsRefresher.class).refresh();
            assertThat(shop.post("/pay", "k", PAYMENT).statusCode()).isEqualTo(201);
        }
    }

    @Test
    void what_the_other_annotation_does_can_be_changed_while_the_application_runs() {
        try (Running shop = Running.start(Old.class, "--spring.main.web-application-type=none")) {
            Once once = shop.bean(Once.class);
            assertThat(once.call("k")).isEqualTo(1);
            assertThatThrownBy(() -> once.call("k")).isInstanceOf(RejectedException.class);
            shop.context()
                    .getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("changed", Map.of("idempotent.return-cached-result", "true")));
            shop.bean(SettingsRefresher.class).refresh();
            // what was kept while duplicates were refused has no answer to give
            assertThat(once.call("another")).isEqualTo(2);
            assertThat(once.call("another")).isEqualTo(2);
        }
    }

    /** An operation cannot both overwrite and refuse. */
    @Test
    void an_operation_can_switch_off_that_late_duplicates_are_refused() {
        try (Running running = Running.start(
                Late.class,
                "--spring.main.web-application-type=none",
                "--onefold.defaults.refuse-late=1d",
                "--onefold.operations.late.refuse-late=0s",
                "--onefold.operations.late.overwrite=true")) {
            assertThat(running.bean(Again.class).call("k")).isEqualTo("k");
        }
    }

    @Application
    @Import(Again.class)
    static class Late {}

    static class Again {
        @Idempotent(operation = "late", key = "#id")
        public String call(String id) {
            return id;
        }
    }

    @Application
    @Import(Once.class)
    static class Old {}

    static class Once {
        private final AtomicInteger runs = new AtomicInteger();

        @io.onefold.spring.legacy.Idempotent(tokenExpression = "#id")
        public int call(String id) {
            return runs.incrementAndGet();
        }
    }

    @Test
    void the_report_tells_guarantees_and_what_nothing_protects(CapturedOutput output) {
        try (Running shop = Running.start(Shop.class)) {
            assertThat(shop.context().isRunning()).isTrue();
            assertThat(output)
                    .contains("Onefold on JdbcStore")
                    .contains("create-order: joined (exactly one effect in the database), key: header Idempotency-Key,"
                            + " keep: 24h")
                    .contains("pay: leased (at most once), key: header Idempotency-Key, keep: 72h");
            String open = output.getOut().substring(output.getOut().indexOf("Nothing makes"));
            assertThat(open)
                    .contains("POST /notes")
                    .doesNotContain("DELETE /orders")
                    .doesNotContain("/error");
        }
    }
}
