package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.core.JdbcTemplate;

/** The whole way: a request over a socket, through the filter or the interceptor, to H2 and back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShopTest {
    private final Running shop = Running.start(Shop.class);

    @AfterAll
    void stop() {
        shop.close();
    }

    @Test
    void a_leased_handler_runs_once_and_its_answer_comes_again() throws Exception {
        String id = id();
        HttpResponse<String> first = shop.post("/pay", id, payment(id, 5));
        HttpResponse<String> second = shop.post("/pay", id, payment(id, 5));
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body()).isEqualTo(receipt(id, 1));
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(runs(id)).isEqualTo(1);
    }

    @Test
    void a_transactional_handler_commits_its_record_with_its_rows() throws Exception {
        String id = id();
        HttpResponse<String> first = shop.post("/orders", id, payment(id, 5));
        HttpResponse<String> second = shop.post("/orders", id, payment(id, 5));
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body()).isEqualTo(receipt(id, 1));
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(count("orders where id = ?", id)).isEqualTo(1);
    }

    @Test
    void a_failed_transaction_leaves_neither_row_nor_answer() throws Exception {
        String id = id();
        assertThat(shop.post("/orders", id, payment(id, -1)).statusCode()).isEqualTo(500);
        assertThat(count("orders where id = ?", id)).isZero();
        assertThat(count("idempotent_record where idem_key = ? and status in (1, 2)", id))
                .isZero();
    }

    @Test
    void duplicates_at_the_same_time_have_one_effect_and_one_answer() throws Exception {
        String id = id();
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            sent.add(shop.postLater("/pay", id, payment(id, 7)));
        }
        for (CompletableFuture<HttpResponse<String>> answer : sent) {
            assertThat(answer.get().body()).isEqualTo(receipt(id, 1));
        }
        assertThat(runs(id)).isEqualTo(1);
    }

    @Test
    void a_key_for_another_request_and_a_missing_one_are_told_as_problems() throws Exception {
        String id = id();
        for (String path : List.of("/pay", "/orders")) {
            shop.post(path, id, payment(id, 5));
            HttpResponse<String> other = shop.post(path, id, payment(id, 6));
            assertThat(other.statusCode()).as(path).isEqualTo(422);
            assertThat(other.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
            HttpResponse<String> missing = shop.post(path, "", payment(id, 5));
            assertThat(missing.statusCode()).as(path).isEqualTo(400);
            assertThat(missing.body()).contains("urn:onefold:problem:");
        }
    }

    @Test
    void what_binding_refuses_is_not_kept() throws Exception {
        String id = id();
        assertThat(shop.post("/pay", id, "{\"amount\":\"many\"}").statusCode()).isEqualTo(400);
        assertThat(count("idempotent_record where idem_key = ? and status = 1", id))
                .isZero();
    }

    @Test
    void a_handler_without_an_annotation_is_left_alone() throws Exception {
        String id = id();
        shop.post("/notes", id, payment(id, 1));
        shop.post("/notes", id, payment(id, 1));
        assertThat(runs(id)).isEqualTo(2);
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }

    private static String payment(String id, int amount) {
        return "{\"id\":\"" + id + "\",\"amount\":" + amount + "}";
    }

    private static String receipt(String id, int number) {
        return "{\"id\":\"" + id + "\",\"number\":" + number + "}";
    }

    private int runs(String id) {
        return shop.bean(Shop.Runs.class).of(id);
    }

    private int count(String what, String id) {
        return Objects.requireNonNull(
                shop.bean(JdbcTemplate.class).queryForObject("select count(*) from " + what, Integer.class, id));
    }
}
