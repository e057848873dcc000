package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import io.onefold.server.gateway.StoreKind.Place;
import io.onefold.servers.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A gateway is killed between two steps, and what another one on its store makes of the request. What it says to the store, and what
 * it hears from there, is held on the way, so that it is where the row wants it when it dies.
 */
@ParameterizedClass
@EnumSource(
        value = StoreKind.class,
        names = {"POSTGRESQL", "REDIS"})
@Timeout(60)
class KilledTest {
    private static final String KEY = "the-key-of-the-request";
    private static final String ANSWER = "the answer of the service";

    @TempDir
    Path directory;

    @Parameter
    StoreKind kind = StoreKind.POSTGRESQL;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Service service = Service.start().does(Behaviour.answers(201, ANSWER));
    private Place store = new Place(0, port -> "");

    @BeforeEach
    void empty() {
        store = kind.empty(directory);
    }

    @AfterEach
    void close() {
        gate.countDown();
        service.close();
    }

    @Test
    @Tag("F1")
    void before_the_claim_nothing_has_happened_and_the_retry_runs() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(store.port());
                GatewayProcess killed = start(proxy, "30s")) {
            killAt(proxy.holdRequestContaining(bytes(KEY)), killed);
        }
        assertThat(service.seen()).isEmpty();
        try (Rig survivor = survivor()) {
            assertThat(post(survivor).text()).isEqualTo(ANSWER);
            assertThat(service.seen()).hasSize(1);
        }
    }

    @Test
    @Tag("F2")
    void after_the_claim_and_before_the_service_is_asked_it_is_unknown() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(store.port());
                GatewayProcess killed = start(proxy, "1s")) {
            killAt(proxy.holdReplyToRequestContaining(bytes(KEY)), killed);
        }
        assertUnknown(0);
    }

    @Test
    @Tag("F3")
    void while_the_service_is_at_work_it_is_unknown() throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        service.does((request, socket, count) -> {
            asked.complete(null);
            return Behaviour.waits(gate).onRequest(request, socket, count);
        });
        try (TcpProxy proxy = TcpProxy.to(store.port());
                GatewayProcess killed = start(proxy, "2s")) {
            killAt(asked, killed);
        }
        gate.countDown();
        assertUnknown(1);
    }

    @Test
    @Tag("F4")
    void after_the_service_has_answered_and_before_that_is_recorded_it_is_unknown() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(store.port());
                GatewayProcess killed = start(proxy, "2s")) {
            killAt(proxy.holdRequestContaining(bytes(ANSWER)), killed);
        }
        assertUnknown(1);
    }

    @Test
    @Tag("F5")
    void after_the_answer_is_recorded_and_before_the_client_has_it_it_is_replayed() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(store.port());
                GatewayProcess killed = start(proxy, "30s")) {
            killAt(proxy.holdReplyToRequestContaining(bytes(ANSWER)), killed);
        }
        try (Rig survivor = survivor()) {
            Message replayed = post(survivor);
            assertThat(replayed.status()).isEqualTo(201);
            assertThat(replayed.text()).isEqualTo(ANSWER);
            assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(service.seen()).hasSize(1);
        }
    }

    private GatewayProcess start(TcpProxy proxy, String lease) throws IOException {
        Path file = directory.resolve("killed.yaml");
        Files.writeString(file, "defaults.lease: " + lease);
        return GatewayProcess.start(
                "--to",
                service.address(),
                "--config",
                file.toString(),
                "--store",
                store.through(proxy),
                "--admin",
                "off");
    }

    private static void killAt(CompletableFuture<Void> point, GatewayProcess gateway) throws Exception {
        CompletableFuture<Message> lost = gateway.client.postAsync("/orders", KEY, "{}");
        point.get(30, TimeUnit.SECONDS);
        assertThat(lost).as("nobody was told").isNotDone();
        gateway.kill();
        assertThat(lost).failsWithin(Duration.ofSeconds(30));
    }

    private Rig survivor() throws Exception {
        return Rig.on(store.address(), service, directory, "defaults.wait: 0");
    }

    private static Message post(Rig rig) {
        return rig.client.post("/orders", KEY, "{}");
    }

    private void assertUnknown(int asked) throws Exception {
        try (Rig survivor = survivor()) {
            Rig.await("the lease is over", () -> {
                Message told = post(survivor);
                assertThat(told.status()).isEqualTo(409);
                return told.problem().equals("outcome-unknown");
            });
            assertThat(service.seen()).as("nothing is repeated").hasSize(asked);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }
}
