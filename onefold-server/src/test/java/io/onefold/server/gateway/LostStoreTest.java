package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import io.onefold.server.gateway.StoreKind.Place;
import io.onefold.servers.TcpProxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody gets through to the store, or its answer is lost on the way back. */
@Timeout(60)
class LostStoreTest {
    private static final String KEY = "the-key-of-the-request";
    private static final String ANSWER = "the answer of the service";

    @TempDir
    Path directory;

    private final List<Side> sides = new ArrayList<>();

    /** A gateway that talks to its store through a proxy. */
    private record Side(StoreKind kind, TcpProxy proxy, Rig rig) {
        Message post(String key) {
            return rig.client.post("/orders", key, "{}");
        }

        CompletableFuture<Message> postAsync(String key) {
            return rig.client.postAsync("/orders", key, "{}");
        }
    }

    private Side open(StoreKind kind, Behaviour behaviour, String yaml) throws Exception {
        Place store = kind.empty(directory);
        TcpProxy proxy = TcpProxy.to(store.port());
        Service service = Service.start().does(behaviour);
        Side side = new Side(kind, proxy, Rig.on(store.through(proxy), service, directory, yaml));
        sides.add(side);
        return side;
    }

    @AfterEach
    void close() {
        sides.forEach(side -> {
            side.rig().close();
            side.proxy().close();
        });
    }

    /** All stores at once: most of it is waiting. */
    @Test
    @Tag("F7")
    @Tag("F8")
    void without_its_store_a_gateway_asks_no_service_and_what_was_answered_is_recorded_when_it_is_back()
            throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        List<CompletableFuture<Message>> begun = new ArrayList<>();
        List<CompletableFuture<Message>> refused = new ArrayList<>();
        for (StoreKind kind : List.of(StoreKind.POSTGRESQL, StoreKind.MARIADB, StoreKind.REDIS)) {
            Side side = open(kind, Behaviour.waits(gate), "defaults: {wait: 0, lease: 3s}");
            begun.add(side.postAsync(KEY));
            Rig.await("the service is asked", () -> asked(side) == 1);
            side.proxy().refuse();
            side.proxy().cut();
            refused.add(side.postAsync("another"));
        }
        gate.countDown();
        for (int i = 0; i < sides.size(); i++) {
            Side side = sides.get(i);
            assertThat(refused.get(i).join().status()).as("%s", side.kind()).isEqualTo(503);
            assertThat(refused.get(i).join().problem()).isEqualTo("store-unavailable");
            Message told = begun.get(i).join();
            assertThat(told.status()).as("%s", side.kind()).isEqualTo(201);
            assertThat(told.header("Onefold-Stored")).isEqualTo("false");
            assertThat(asked(side)).isEqualTo(1);

            side.proxy().accept();
            Rig.await("it is recorded", () -> side.post(KEY).status() == 201);
            assertThat(side.post(KEY).text()).isEqualTo(told.text());
            assertThat(asked(side)).as("%s", side.kind()).isEqualTo(1);
            assertThat(side.post("another").status()).isEqualTo(201);
            assertThat(asked(side)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(value = StoreKind.class, mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    @Tag("F9")
    void a_claim_whose_answer_is_lost_recognises_itself_and_the_service_is_asked_once(StoreKind kind) throws Exception {
        assertAskedOnceThoughCutAt(KEY, kind);
    }

    @ParameterizedTest
    @EnumSource(value = StoreKind.class, mode = EnumSource.Mode.EXCLUDE, names = "SQLITE")
    @Tag("F9")
    @Tag("F10")
    void a_record_that_was_not_confirmed_is_told_again_and_recognised(StoreKind kind) throws Exception {
        assertAskedOnceThoughCutAt(ANSWER, kind);
    }

    private void assertAskedOnceThoughCutAt(String words, StoreKind kind) throws Exception {
        Side side = open(kind, Behaviour.answers(201, ANSWER), "");
        CompletableFuture<Void> cut = side.proxy().cutAfterRequestContaining(words.getBytes(US_ASCII));
        Message first = side.post(KEY);
        assertThat(cut).isDone();
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.header("Onefold-Stored")).isEmpty();
        Message replayed = side.post(KEY);
        assertThat(replayed.text()).isEqualTo(ANSWER);
        assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(asked(side)).isEqualTo(1);
    }

    private static int asked(Side side) {
        return side.rig().service.seen().size();
    }
}
