package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import io.onefold.server.gateway.StoreKind.Place;
import io.onefold.servers.TcpProxy;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody gets through to the store, or its answer is lost on the way back. */
@ParameterizedClass
@EnumSource(value = StoreKind.class, mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
@Timeout(60)
class LostStoreTest {
    private static final String YAML = "defaults: {wait: 0, lease: 1s}";
    private static final String KEY = "the-key-of-the-request";
    private static final String ANSWER = "the answer of the service";

    @TempDir
    Path directory;

    @Parameter
    StoreKind kind = StoreKind.POSTGRESQL;

    private final Service service = Service.start().does(Behaviour.answers(201, ANSWER));
    private Place store = new Place(0, port -> "");
    private TcpProxy proxy = TcpProxy.to(0);

    @BeforeEach
    void empty() {
        proxy.close();
        store = kind.empty(directory);
        proxy = TcpProxy.to(store.port());
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    private Rig gateway() throws Exception {
        return Rig.on(store.through(proxy), service, directory, YAML);
    }

    private void unreachable() {
        proxy.refuse();
        proxy.cut();
    }

    @Test
    @Tag("F7")
    void without_its_store_a_gateway_asks_no_service_and_when_it_is_back_the_retry_runs() throws Exception {
        try (Rig rig = gateway()) {
            unreachable();
            Message refused = rig.client.post("/orders", KEY, "{}");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.problem()).isEqualTo("store-unavailable");
            assertThat(service.seen()).isEmpty();
            proxy.accept();
            Rig.await("the retry runs", () -> rig.client.post("/orders", KEY, "{}").status() == 201);
            assertThat(service.seen()).hasSize(1);
        }
    }

    @Test
    @Tag("F8")
    void an_answer_that_cannot_be_recorded_goes_out_and_is_recorded_when_the_store_is_back() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        service.does(Behaviour.waits(gate));
        try (Rig rig = gateway()) {
            CompletableFuture<Message> first = rig.client.postAsync("/orders", KEY, "{}");
            Rig.await("the service is asked", () -> service.seen().size() == 1);
            unreachable();
            gate.countDown();
            Message told = first.join();
            assertThat(told.status()).isEqualTo(201);
            assertThat(told.header("Onefold-Stored")).isEqualTo("false");
            proxy.accept();
            Rig.await("it is recorded", () -> {
                Message again = rig.client.post("/orders", KEY, "{}");
                return again.status() == 201 && again.text().equals(told.text());
            });
            assertThat(service.seen()).hasSize(1);
        }
    }

    @Test
    @Tag("F9")
    void a_claim_whose_answer_is_lost_recognises_itself_and_the_service_is_asked_once() throws Exception {
        try (Rig rig = gateway()) {
            CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(KEY.getBytes(US_ASCII));
            assertRecorded(rig, cut);
        }
    }

    @Test
    @Tag("F9")
    @Tag("F10")
    void an_answer_whose_record_was_not_confirmed_is_told_again_and_recognised() throws Exception {
        try (Rig rig = gateway()) {
            CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(ANSWER.getBytes(US_ASCII));
            assertRecorded(rig, cut);
        }
    }

    private void assertRecorded(Rig rig, CompletableFuture<Void> cut) {
        Message first = rig.client.post("/orders", KEY, "{}");
        assertThat(cut).isDone();
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("Onefold-Stored")).isEmpty();
        Message replayed = rig.client.post("/orders", KEY, "{}");
        assertThat(replayed.text()).isEqualTo(ANSWER);
        assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(service.seen()).hasSize(1);
    }
}
