package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The starter in WebFlux: handlers that the filter claims for, and handlers that claim for themselves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReactiveShopTest {
    static final String REACTIVE = "--spring.main.web-application-type=reactive";
    static final String MEMORY = "--onefold.store=memory";

    private final Running shop =
            Running.start(ReactiveShop.class, REACTIVE, MEMORY, "--onefold.http.principal=security");
    private final AtomicInteger runs = shop.bean(AtomicInteger.class);

    @AfterAll
    void stop() {
        shop.close();
    }

    private HttpResponse<String> post(String path, String user, String id, int amount) throws Exception {
        return begin(path, user, id, amount).get();
    }

    private CompletableFuture<HttpResponse<String>> begin(String path, String user, String id, int amount) {
        var request = shop.request(path, id, "{\"id\":\"" + id + "\",\"amount\":" + amount + "}");
        return shop.client()
                .sendAsync(
                        (user.isEmpty() ? request : request.header("User", user)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }

    private static boolean replayed(HttpResponse<String> answer) {
        return answer.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pay", "/orders", "/batches", "/blocking"})
    void a_handler_runs_once_and_its_answer_comes_again(String path) throws Exception {
        String id = id();
        HttpResponse<String> first = post(path, "ann", id, 5);
        int ran = runs.get();
        HttpResponse<String> again = post(path, "ann", id, 5);
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(first.body()).contains(id);
        assertThat(replayed(first)).isFalse();
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(replayed(again)).isTrue();
        assertThat(runs).hasValue(ran);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pay", "/orders", "/batches", "/blocking"})
    void keys_of_one_user_mean_nothing_to_another(String path) throws Exception {
        String id = id();
        HttpResponse<String> ann = post(path, "ann", id, 5);
        HttpResponse<String> bob = post(path, "bob", id, 5);
        assertThat(bob.statusCode()).as(bob.body()).isEqualTo(200);
        assertThat(replayed(bob)).isFalse();
        assertThat(bob.body()).isNotEqualTo(ann.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pay", "/orders", "/batches", "/blocking"})
    void a_key_for_another_payload_is_a_problem(String path) throws Exception {
        String id = id();
        post(path, "ann", id, 5);
        int ran = runs.get();
        HttpResponse<String> other = post(path, "ann", id, 6);
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(runs).hasValue(ran);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pay", "/orders", "/blocking"})
    void whom_security_knows_as_anonymous_is_nobody(String path) throws Exception {
        int ran = runs.get();
        HttpResponse<String> nobody = post(path, "", id(), 5);
        assertThat(nobody.statusCode()).isEqualTo(401);
        assertThat(nobody.body()).contains("unauthenticated");
        assertThat(runs).hasValue(ran);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pay", "/orders"})
    void duplicates_at_the_same_time_have_one_answer(String path) throws Exception {
        String id = id();
        int ran = runs.get();
        List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            sent.add(begin(path, "ann", id, 7));
        }
        for (CompletableFuture<HttpResponse<String>> answer : sent) {
            assertThat(answer.get().body()).isEqualTo(sent.get(0).get().body());
        }
        assertThat(runs).hasValue(ran + 1);
    }

    @Test
    void what_never_reached_its_handler_is_not_kept() throws Exception {
        String id = id();
        assertThat(post("/guarded", "ann", id, 5).statusCode()).isEqualTo(400);
        HttpResponse<String> fixed = shop.client()
                .send(
                        shop.request("/guarded", id, "{\"id\":\"" + id + "\",\"amount\":5}")
                                .header("User", "ann")
                                .header("Guard", "1")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(fixed.statusCode()).as(fixed.body()).isEqualTo(200);
    }

    @Test
    void an_error_is_rendered_by_spring_boot_and_replayed() throws Exception {
        String id = id();
        HttpResponse<String> first = post("/failing", "ann", id, 5);
        int ran = runs.get();
        HttpResponse<String> again = post("/failing", "ann", id, 5);
        assertThat(first.statusCode()).isEqualTo(410);
        assertThat(first.body()).contains("\"path\":\"/failing\"");
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(replayed(again)).isTrue();
        assertThat(runs).hasValue(ran);
    }

    @Test
    void a_key_is_needed() throws Exception {
        HttpResponse<String> without = shop.client()
                .send(
                        shop.request("/pay", "", "{}").header("User", "ann").build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(without.statusCode()).isEqualTo(400);
        assertThat(without.body()).contains("key-missing");
    }
}
