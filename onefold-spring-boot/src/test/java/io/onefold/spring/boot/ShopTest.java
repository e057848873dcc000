package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import io.onefold.spring.NotIdempotent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The whole way: a request over a socket, through the filter or the interceptor, to H2 and back. */
@ExtendWith(OutputCaptureExtension.class)
class ShopTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private ConfigurableApplicationContext context = start();

    @AfterEach
    void stop() {
        context.close();
    }

    private static ConfigurableApplicationContext start(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.datasource.generate-unique-name=true",
                "--onefold.http.principal=anonymous",
                "--spring.main.banner-mode=off"));
        arguments.addAll(List.of(more));
        return new SpringApplication(Shop.class).run(arguments.toArray(String[]::new));
    }

    private void restart(String... more) {
        context.close();
        context = start(more);
    }

    @Test
    void a_leased_handler_runs_once_and_its_answer_comes_again() throws Exception {
        HttpResponse<String> first = post("/pay", "k1", "{\"amount\":5}");
        HttpResponse<String> second = post("/pay", "k1", "{\"amount\":5}");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body()).isEqualTo("{\"number\":1,\"amount\":5}");
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(shop().runs.get()).isEqualTo(1);
    }

    @Test
    void a_transactional_handler_commits_its_record_with_its_rows() throws Exception {
        HttpResponse<String> first = post("/orders", "k1", "{\"amount\":5}");
        HttpResponse<String> second = post("/orders", "k1", "{\"amount\":5}");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(count("orders")).isEqualTo(1);
    }

    @Test
    void a_failed_transaction_leaves_neither_row_nor_record() throws Exception {
        assertThat(post("/orders", "k1", "{\"amount\":-1}").statusCode()).isEqualTo(500);
        assertThat(count("orders")).isZero();
        assertThat(count("idempotent_record where status = 1")).isZero();
    }

    @Test
    void duplicates_at_the_same_time_have_one_effect_and_one_answer() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            sent.add(client.sendAsync(request("/pay", "k2", "{\"amount\":7}"), HttpResponse.BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> answer : sent) {
            assertThat(answer.get().body()).isEqualTo("{\"number\":1,\"amount\":7}");
        }
        assertThat(shop().runs.get()).isEqualTo(1);
    }

    @Test
    void a_key_for_another_request_and_a_missing_one_are_told_as_problems() throws Exception {
        post("/pay", "k1", "{\"amount\":5}");
        HttpResponse<String> other = post("/pay", "k1", "{\"amount\":6}");
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.headers().firstValue("Content-Type")).hasValueSatisfying(
                type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(post("/orders", "", "{\"amount\":5}").statusCode()).isEqualTo(400);
        assertThat(post("/pay", "", "{\"amount\":5}").statusCode()).isEqualTo(400);
    }

    @Test
    void what_binding_refuses_is_not_kept() throws Exception {
        assertThat(post("/pay", "k1", "{\"amount\":\"many\"}").statusCode()).isEqualTo(400);
        assertThat(count("idempotent_record where status = 1")).isZero();
    }

    @Test
    void an_unannotated_handler_is_left_alone_unless_all_are_covered() throws Exception {
        post("/notes", "k1", "{\"amount\":1}");
        post("/notes", "k1", "{\"amount\":1}");
        assertThat(shop().runs.get()).isEqualTo(2);
        restart("--onefold.http.cover=all");
        post("/notes", "k1", "{\"amount\":1}");
        post("/notes", "k1", "{\"amount\":1}");
        assertThat(shop().runs.get()).isEqualTo(1);
    }

    @Test
    void a_configured_route_is_covered() throws Exception {
        restart("--onefold.http.routes[0].path=/notes", "--onefold.http.routes[0].operation=note",
                "--onefold.operations.note.keep=1h");
        post("/notes", "k1", "{\"amount\":1}");
        assertThat(post("/notes", "k1", "{\"amount\":1}").headers().firstValue("Idempotent-Replayed"))
                .contains("true");
        assertThat(shop().runs.get()).isEqualTo(1);
    }

    @Test
    void in_shadow_everything_runs_and_duplicates_are_reported(CapturedOutput output) throws Exception {
        restart("--onefold.mode=shadow", "--onefold.http.cover=all");
        for (String path : List.of("/pay", "/notes")) {
            assertThat(post(path, "k1", "{\"amount\":1}").statusCode()).isLessThan(300);
            assertThat(post(path, "k1", "{\"amount\":1}").statusCode()).isLessThan(300);
        }
        assertThat(shop().runs.get()).isEqualTo(4);
        Until.holds(() -> output.getOut().contains("pay: a duplicate ran"));
    }

    @Test
    void policies_can_be_changed_while_the_application_runs() throws Exception {
        post("/pay", "k1", "{\"amount\":5}");
        System.setProperty("onefold.operations.pay.duplicates", "reject");
        System.setProperty("onefold.operations.pay.message", "once is enough");
        try {
            context.getBean(PolicyRefresher.class).refresh();
            HttpResponse<String> refused = post("/pay", "k1", "{\"amount\":5}");
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains("once is enough");
        } finally {
            System.clearProperty("onefold.operations.pay.duplicates");
            System.clearProperty("onefold.operations.pay.message");
        }
        context.getBean(PolicyRefresher.class).refresh();
        assertThat(post("/pay", "k1", "{\"amount\":5}").statusCode()).isEqualTo(201);
    }

    @Test
    void the_report_tells_guarantees_and_what_nothing_protects(CapturedOutput output) {
        restart();
        assertThat(output)
                .contains("Onefold on JdbcStore")
                .contains("create-order: joined (exactly one effect in the database), key: header Idempotency-Key, keep: 24h")
                .contains("pay: leased (at most once), key: header Idempotency-Key, keep: 72h")
                .contains("POST /notes");
        assertThat(output.getOut().substring(output.getOut().indexOf("Nothing makes")))
                .doesNotContain("DELETE /orders")
                .doesNotContain("/error");
    }

    private HttpResponse<String> post(String path, String key, String body) throws Exception {
        return client.send(request(path, key, body), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String path, String key, String body) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return (key.isEmpty() ? request : request.header("Idempotency-Key", key)).build();
    }

    private ShopController shop() {
        return (ShopController) AopTestUtils.getTargetObject(context.getBean(ShopController.class));
    }

    private int count(String what) {
        return context.getBean(JdbcTemplate.class).queryForObject("select count(*) from " + what, Integer.class);
    }

    @Application
    @Import(ShopController.class)
    static class Shop {}

    record Payment(int amount) {}

    record Receipt(int number, int amount) {}

    @RestController
    static class ShopController {
        final AtomicInteger runs = new AtomicInteger();
        private final JdbcTemplate jdbc;

        ShopController(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("create table orders (number int generated always as identity, amount int)");
        }

        @PostMapping("/pay")
        @Idempotent(operation = "pay", keep = "3d")
        ResponseEntity<Receipt> pay(@RequestBody Payment payment) {
            return ResponseEntity.status(HttpStatus.CREATED).body(new Receipt(runs.incrementAndGet(), payment.amount()));
        }

        @PostMapping("/orders")
        @Idempotent(operation = "create-order")
        @Transactional
        public Receipt order(@RequestBody Payment payment) {
            jdbc.update("insert into orders (amount) values (?)", payment.amount());
            if (payment.amount() < 0) {
                throw new IllegalStateException("less than nothing");
            }
            return new Receipt(runs.incrementAndGet(), payment.amount());
        }

        @PostMapping("/notes")
        public Receipt note(@RequestBody Payment payment) {
            return new Receipt(runs.incrementAndGet(), payment.amount());
        }

        @DeleteMapping("/orders/{number}")
        @NotIdempotent("deleting twice does no harm")
        public void delete(@PathVariable int number) {}
    }
}
