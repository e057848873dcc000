package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.server.config.ConfigException;
import io.onefold.server.gateway.Service.Behaviour;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeTest {
    @TempDir
    Path directory;

    private final Map<String, Integer> probed = new ConcurrentHashMap<>();
    private final Service service = Service.start();
    private @Nullable Rig rig;

    @AfterEach
    void stop() {
        if (rig != null) {
            rig.close();
        }
        service.close();
    }

    @Test
    void an_answer_that_the_probe_finds_is_what_duplicates_get() throws Exception {
        rig = rig("");
        lose("k 1/&x");
        answer(201, "{\"number\":7}", "Content-Type: application/json", "Location: /things/7", "Set-Cookie: a=b");
        Message settled = settled("k 1/&x");
        assertThat(settled.status()).isEqualTo(201);
        assertThat(settled.text()).isEqualTo("{\"number\":7}");
        assertThat(settled.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(settled.header("Location")).isEqualTo("/things/7");
        assertThat(settled.header("Set-Cookie")).isEmpty();
        assertThat(posts()).as("sent on once").isEqualTo(1);
        String sent = service.seen().get(0).header("Idempotency-Key");
        assertThat(sent).isEqualTo("\"k 1/&x\"");
        assertThat(probed).containsKey("/probe?key=%22k%201%2F%26x%22");
    }

    @Test
    void what_can_no_longer_happen_may_be_tried_again() throws Exception {
        rig = rig("");
        lose("k-1");
        answer(410, "gone");
        Rig.await("the key is free", () -> posted("k-1").status() == 200);
        assertThat(posts()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 204, 202, 302, 500})
    void any_other_status_leaves_it_unknown(int status) throws Exception {
        rig = rig("");
        lose("k-1");
        answer(status, status == 204 ? "" : "?", "Location: /probe/elsewhere");
        Rig.await("it is probed twice", () -> probed.getOrDefault("/probe?key=k-1", 0) >= 2);
        assertThat(posted("k-1").problem()).isEqualTo("outcome-unknown");
        assertThat(service.seen()).noneMatch(message -> message.target().contains("elsewhere"));
    }

    @Test
    void a_service_that_is_silent_leaves_it_unknown_and_the_next_one_is_probed_nevertheless() throws Exception {
        rig = Rig.with(service, directory, "timeout: 500ms\n" + yaml(""));
        lose("k-1");
        lose("k-2");
        service.does((request, socket, count) -> {
            if (request.target().contains("k-1")) {
                return Behaviour.hangs().onRequest(request, socket, count);
            }
            return Behaviour.answers(200, "found").onRequest(request, socket, count);
        });
        Rig.await("the other one is settled", () -> posted("k-2").text().equals("found"));
        assertThat(posted("k-1").problem()).isEqualTo("outcome-unknown");
    }

    @Test
    void an_answer_too_long_to_be_kept_says_at_least_that_it_was_done() throws Exception {
        rig = rig("    response.max: 1KiB\n");
        lose("k-1");
        answer(200, "x".repeat(2_000), "Location: /things/7");
        Message settled = settled("k-1");
        assertThat(settled.problem()).isEqualTo("result-not-replayable");
        assertThat(settled.header("Location")).isEqualTo("/things/7");
    }

    @Test
    void an_answer_longer_than_anybody_would_keep_is_not_read_to_its_end() throws Exception {
        rig = rig("    response.max: 8MiB\n");
        lose("k-1");
        answer(200, "x".repeat(2_000_000));
        assertThat(settled("k-1").problem()).isEqualTo("result-not-replayable");
    }

    @Test
    void a_derived_key_is_asked_for_as_it_was_sent_on() throws Exception {
        rig = rig("    forward: derived\n    hash-keys: true\n");
        lose("k-1");
        String sent = service.seen().get(0).header("Idempotency-Key");
        answer(200, "found");
        assertThat(settled("k-1").text()).isEqualTo("found");
        assertThat(sent).isNotEqualTo("k-1");
        assertThat(probed).containsKey("/probe?key=" + sent);
    }

    @ParameterizedTest
    @CsvSource({
        "hash-keys: true, keys are stored hashed",
        "forward: strip, no key is sent on",
        "content-dedup: 10s, known by their content",
        "tokens: true, keys are tokens"
    })
    void a_probe_that_could_not_know_the_key_is_refused(String rule, String why) {
        assertThatThrownBy(() -> rig("    " + rule + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(".yaml:5: probe: ", why);
    }

    @Test
    void a_probe_by_keys_that_two_callers_may_share_is_refused() throws Exception {
        String principal = "principal: header:X-User\ntrusted-proxies: 127.0.0.1\n";
        assertThatThrownBy(() -> Rig.with(service, directory, principal + yaml("")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("two callers may use the same key", "derived");
        assertThatThrownBy(() -> Rig.with(
                        service,
                        directory,
                        "principal: anonymous\ntenant: header:X-Tenant\ntrusted-proxies: 127.0.0.1\n" + yaml("")))
                .hasMessageContaining("two callers may use the same key");
        rig = Rig.with(service, directory, principal + yaml("    forward: derived\n"));
    }

    @Test
    void a_probe_of_an_operation_that_several_routes_share_is_refused() {
        String yaml = yaml("    operation: pay\n") + "  - match: POST /refunds\n    operation: pay\n";
        assertThatThrownBy(() -> Rig.with(service, directory, yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("other routes have the operation pay", "a name of its own");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:9000/probe, no {key} in it",
        "http://{key}.example/probe, choose the host",
        "http://localhost:9000/payments/{key}, choose the path; it may stand in the query",
        "http://localhost:9000/payments/{key}?key={key}, choose the path",
        "http://localhost:9000@{key}/probe, is not an address",
        "ftp://localhost/{key}, is not an address",
        "/probe?key={key}, is not an address"
    })
    void an_address_that_is_none_is_named(String address, String why) {
        String yaml = "routes:\n  - match: POST /orders\n    probe: '" + address + "'\n";
        assertThatThrownBy(() -> Rig.with(service, directory, yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(".yaml:3: probe", why);
    }

    private Rig rig(String rules) throws Exception {
        return Rig.with(service, directory, yaml(rules));
    }

    private String yaml(String rules) {
        return "reconcile: 50ms\nissue-tokens: true\nroutes:\n  - match: POST /orders\n    probe: " + service.address()
                + "/probe?key={key}\n" + rules;
    }

    private void lose(String key) {
        service.does(Behaviour.closes());
        assertThat(posted(key).status()).isEqualTo(502);
        assertThat(posted(key).problem()).isEqualTo("outcome-unknown");
    }

    /** To probes; to all else, 200. */
    private void answer(int status, String body, String... headers) {
        service.does((request, socket, count) -> {
            if (request.target().startsWith("/probe")) {
                probed.merge(request.target(), 1, Integer::sum);
                return Behaviour.answers(status, body, headers).onRequest(request, socket, count);
            }
            return Behaviour.answers(200, "ran").onRequest(request, socket, count);
        });
    }

    private Message settled(String key) throws InterruptedException {
        Rig.await("it is settled", () -> !posted(key).problem().equals("outcome-unknown"));
        return posted(key);
    }

    private Message posted(String key) {
        return Objects.requireNonNull(rig).client.post("/orders", '"' + key + '"', "{}");
    }

    private long posts() {
        return service.seen().stream()
                .filter(message -> message.target().equals("/orders"))
                .count();
    }
}
