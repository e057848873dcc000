package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import io.onefold.server.gateway.StoreKind.Place;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two gateways before one service, on each store that they can be given. */
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoresTest {
    @TempDir
    Path directory;

    @Parameter
    StoreKind kind = StoreKind.SQLITE;

    private Place store = new Place(0, port -> "");

    @BeforeEach
    void empty() {
        store = kind.empty(directory);
    }

    private Rig gateway(Service service, String yaml) throws Exception {
        return Rig.on(store.address(), service, directory, yaml);
    }

    @Test
    void what_one_gateway_sent_on_the_other_replays_and_a_changed_request_hears_what_differs() throws Exception {
        Service service = Service.start();
        try (Rig one = gateway(service, "");
                Rig other = gateway(service, "")) {
            String body = "{\"amount\":1,\"for\":\"tea\"}";
            Message first = one.client.post("/orders", "k", body);
            assertThat(first.status()).isEqualTo(201);
            assertThat(first.header("Idempotent-Replayed")).isEmpty();
            for (Rig either : List.of(one, other)) {
                Message replayed = either.client.post("/orders", "k", body);
                assertThat(replayed.status()).isEqualTo(201);
                assertThat(replayed.text()).isEqualTo(first.text());
                assertThat(replayed.header("Location")).isEqualTo("/things/1");
                assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
                Message conflict = either.client.post("/orders", "k", "{\"amount\":2,\"for\":\"tea\"}");
                assertThat(conflict.status()).isEqualTo(422);
                assertThat(conflict.problem()).isEqualTo("key-reused");
                assertThat(conflict.text()).contains("\"fields\":[\"body.amount\"]");
            }
            assertThat(service.seen()).hasSize(1);
        }
    }

    @Test
    void however_many_wait_the_threads_are_few() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Service service = Service.start().does(Behaviour.waits(gate));
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (Rig rig = gateway(service, "{upstream-connections: 400, defaults: {wait: 20s}}")) {
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                Socket socket = rig.client.open();
                sockets.add(socket);
                Client.write(socket, Client.request("POST", "/orders", "{}", "Idempotency-Key: k" + i % 100));
            }
            Rig.await("all are with the service", () -> service.seen().size() == 100);
            Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
            now.removeAll(before);
            now.removeIf(thread -> thread.getName().equals("service"));
            gate.countDown();
            for (Socket socket : sockets) {
                assertThat(Message.read(socket.getInputStream(), false).status())
                        .isEqualTo(201);
                socket.close();
            }
            // for the network, for the store, and eleven that do one thing each
            int most = 8 + Runtime.getRuntime().availableProcessors() + (kind == StoreKind.SQLITE ? 4 : 16) + 11;
            assertThat(now).hasSizeLessThanOrEqualTo(most);
        }
    }

    @Test
    void gateways_that_share_a_store_are_one() throws Exception {
        Service service = Service.start();
        try (Rig one = gateway(service, "");
                Rig other = gateway(service, "")) {
            for (int round = 0; round < 10; round++) {
                String key = "k" + round;
                CountDownLatch gate = new CountDownLatch(1);
                service.does(Behaviour.waits(gate));
                int before = service.seen().size();
                List<CompletableFuture<Message>> all = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    all.add(one.client.postAsync("/orders", key, "{}"));
                    all.add(other.client.postAsync("/orders", key, "{}"));
                }
                Rig.await("the service is asked", () -> service.seen().size() > before);
                gate.countDown();
                List<String> answers = all.stream()
                        .map(answer -> answer.join().text())
                        .distinct()
                        .toList();
                assertThat(answers).as("one answer").hasSize(1);
                assertThat(service.seen()).as("one effect").hasSize(before + 1);
            }
        }
    }

    @Test
    void a_token_is_issued_by_one_gateway_and_taken_by_the_other_once() throws Exception {
        Service service = Service.start();
        String yaml = """
                issue-tokens: true
                routes:
                  - match: POST /forms
                    operation: form
                    tokens: true
                    required: true
                """;
        try (Rig one = gateway(service, yaml);
                Rig other = gateway(service, yaml)) {
            Message issued = one.client.send("POST", "/onefold/tokens/form", "");
            assertThat(issued.status()).isEqualTo(201);
            String token = issued.text().replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");
            assertThat(other.client.post("/forms", token, "{}").status()).isEqualTo(201);
            assertThat(one.client.post("/forms", token, "{}").header("Idempotent-Replayed"))
                    .isEqualTo("true");
            assertThat(one.client.post("/forms", "made-up", "{}").problem()).isEqualTo("token-missing");
            assertThat(service.seen()).hasSize(1);
        }
    }

    @Test
    void what_a_service_that_died_was_asked_stays_unknown_unless_a_probe_finds_it() throws Exception {
        Service mortal = Service.start();
        String yaml = "{reconcile: 50ms, routes: [{match: POST /probed, probe: '" + mortal.address()
                + "/probe?key={key}'}, {match: POST /orders}]}";
        try (Rig one = gateway(mortal, yaml);
                Rig other = gateway(mortal, yaml)) {
            assertDies(mortal, one, "/orders");
            Service again = Service.start(mortal.port());
            assertDies(again, one, "/probed");
            assertThat(other.client.post("/probed", "k", "{}").problem()).isEqualTo("outcome-unknown");
            try (Service last = Service.start(mortal.port()).does(Behaviour.answers(200, "found"))) {
                Rig.await("it is settled", () -> {
                    Message told = other.client.post("/probed", "k", "{}");
                    return told.status() == 200 && told.text().equals("found");
                });
                for (Rig either : List.of(one, other)) {
                    assertThat(either.client.post("/orders", "k", "{}").problem())
                            .isEqualTo("outcome-unknown");
                }
                assertThat(last.seen()).noneMatch(message -> message.first().startsWith("POST"));
            }
            assertThat(mortal.seen()).hasSize(1);
            assertThat(again.seen())
                    .filteredOn(message -> message.first().startsWith("POST"))
                    .hasSize(1);
        }
    }

    /** It has read the request when it ends. */
    private static void assertDies(Service service, Rig rig, String path) {
        service.does((request, socket, count) -> {
            service.close();
            return false;
        });
        Message lost = rig.client.post(path, "k", "{}");
        assertThat(lost.status()).isEqualTo(502);
        assertThat(lost.problem()).isEqualTo("upstream-silent");
    }

    @Test
    void a_record_outlives_the_gateways() throws Exception {
        Service service = Service.start();
        Message first;
        try (Rig one = gateway(service, "")) {
            first = one.client.post("/orders", "k", "{}");
            assertThat(first.status()).isEqualTo(201);
            service.does(Behaviour.closes());
            assertThat(one.client.post("/orders", "lost", "{}").problem()).isEqualTo("upstream-silent");
        }
        try (Service next = Service.start();
                Rig again = gateway(next, "")) {
            Message replayed = again.client.post("/orders", "k", "{}");
            assertThat(replayed.text()).isEqualTo(first.text());
            assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(again.client.post("/orders", "lost", "{}").problem()).isEqualTo("outcome-unknown");
            assertThat(next.seen()).isEmpty();
        }
    }

    @Test
    void no_part_of_a_password_is_shown_whatever_is_in_it() {
        for (String password : new String[] {"p4ss", "p@4ss", "p/4ss", "p?4ss", "p?@4ss", "p;4ss@", "@4ss@"}) {
            for (String scheme : new String[] {"redis", "rediss", "jdbc:mariadb"}) {
                String address = scheme + "://eve:" + password + "@db.example:1/x";
                assertThat(OpenStore.withoutSecrets(address))
                        .as(address)
                        .startsWith(scheme)
                        .doesNotContain("4ss", "eve");
            }
        }
        assertThat(OpenStore.withoutSecrets("jdbc:postgresql://db/x?user=eve&password=p@4ss"))
                .doesNotContain("4ss", "eve");
        assertThat(OpenStore.withoutSecrets("jdbc:postgresql://db/x?user=eve")).isEqualTo("jdbc:postgresql://db/x");
        assertThat(OpenStore.withoutSecrets("redis://eve:x@db:1/0")).isEqualTo("redis://db:1/0");
    }
}
