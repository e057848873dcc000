package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import io.onefold.servers.TcpProxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The server of the store is killed between two steps of a request, and what becomes of the request when it is back. What it is asked,
 * and what it answers, is held on the way, so that it is where the row wants it when it dies. It dies for several requests at once,
 * each on a gateway of its own: most of this is waiting.
 */
@ParameterizedClass
@EnumSource(
        value = StoreKind.class,
        names = {"POSTGRESQL", "REDIS"})
@Timeout(60)
class KilledStoreTest {
    private static final Map<StoreKind, MortalStore> SERVERS = new EnumMap<>(StoreKind.class);
    private static final AtomicInteger KEYS = new AtomicInteger();
    private static final String ANSWER = "the answer of the service";

    @TempDir
    Path directory;

    private final MortalStore store;
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Side> sides = new ArrayList<>();

    KilledStoreTest(StoreKind kind) {
        store = SERVERS.computeIfAbsent(kind, MortalStore::start);
    }

    @AfterEach
    void close() {
        gate.countDown();
        sides.forEach(side -> {
            side.rig.close();
            side.proxy.close();
        });
    }

    @AfterAll
    static void end() {
        SERVERS.values().forEach(server -> server.end().run());
        SERVERS.clear();
    }

    @Test
    @Tag("F8")
    @Tag("F9")
    @Tag("F10")
    void what_it_was_asked_when_it_died_is_asked_again_when_it_is_back_and_no_service_is_asked_twice()
            throws Exception {
        Side atWork = working("");
        Side claimed = held(side -> side.proxy.holdReplyToRequestContaining(bytes(side.key)));
        Side recorded = held(side -> side.proxy.holdReplyToRequestContaining(bytes(ANSWER)));
        assertThat(atWork.asked()).isEqualTo(1);
        assertThat(claimed.asked()).isZero();
        assertThat(recorded.asked()).isEqualTo(1);
        // who noticed before it is back would be told so: that is another row
        List<Side> unconfirmed = List.of(claimed, recorded);
        unconfirmed.forEach(side -> side.proxy.stall());
        store.kill().run();
        gate.countDown();
        assertThat(unconfirmed).as("nobody was told").noneMatch(side -> side.first.isDone());

        store.restart().run();
        unconfirmed.forEach(side -> side.proxy.flow());
        for (Side side : sides) {
            assertThat(side.first.join().status()).isEqualTo(201);
            assertThat(side.first.join().header("Onefold-Stored")).isEmpty();
            assertReplayed(side);
        }
    }

    @Test
    @Tag("F7")
    @Tag("F8")
    void without_it_nothing_begins_and_what_has_begun_is_told_truly_and_recorded_later_or_unknown() throws Exception {
        Side unclaimed = held(side -> side.proxy.holdRequestContaining(bytes(side.key)));
        Side recordedLater = working("defaults: {wait: 0, lease: 1s}");
        Side neverRecorded = working("defaults: {wait: 0, lease: 1s, max-run: 1s}");
        store.kill().run();
        gate.countDown();
        CompletableFuture<Message> retried = unclaimed.postAsync();
        for (Message refused : List.of(unclaimed.first.join(), retried.join())) {
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.problem()).isEqualTo("store-unavailable");
        }
        assertThat(unclaimed.asked()).isZero();
        for (Side begun : List.of(recordedLater, neverRecorded)) {
            Message told = begun.first.join();
            assertThat(told.status()).isEqualTo(201);
            assertThat(told.text()).isEqualTo(ANSWER);
            assertThat(told.header("Onefold-Stored")).isEqualTo("false");
        }

        store.restart().run();
        Rig.await("the retry runs", () -> unclaimed.post().status() == 201);
        assertReplayed(unclaimed);
        Rig.await("it is recorded", () -> recordedLater.post().status() == 201);
        assertReplayed(recordedLater);
        Rig.await("it is unknown", () -> neverRecorded.post().problem().equals("outcome-unknown"));
        assertThat(neverRecorded.asked()).isEqualTo(1);
    }

    /** A request that the service works at until the gate opens. */
    private Side working(String yaml) throws Exception {
        Side side = new Side(yaml, gate);
        side.ask();
        Rig.await("the service is asked", () -> side.asked() == 1);
        return side;
    }

    /** A request of which something is held between its gateway and the store. */
    private Side held(Function<Side, CompletableFuture<Void>> trap) throws Exception {
        Side side = new Side("", new CountDownLatch(0));
        CompletableFuture<Void> point = trap.apply(side);
        side.ask();
        point.get(30, TimeUnit.SECONDS);
        return side;
    }

    /** A service, a gateway before it, and the way from there to the store. */
    private final class Side {
        final String key = "the-key-of-request-" + KEYS.incrementAndGet() + "-of-all";
        final TcpProxy proxy = TcpProxy.to(store.place().port());
        final Rig rig;
        CompletableFuture<Message> first = new CompletableFuture<>();

        Side(String yaml, CountDownLatch until) throws Exception {
            Service service = Service.start().does((request, socket, count) -> {
                try {
                    until.await();
                } catch (InterruptedException e) {
                    return false;
                }
                return Behaviour.answers(201, ANSWER).onRequest(request, socket, count);
            });
            rig = Rig.on(store.place().through(proxy), service, directory, yaml);
            sides.add(this);
        }

        void ask() {
            first = postAsync();
        }

        CompletableFuture<Message> postAsync() {
            return rig.client.postAsync("/orders", key, "{}");
        }

        Message post() {
            return postAsync().join();
        }

        int asked() {
            return rig.service.seen().size();
        }
    }

    private static void assertReplayed(Side side) {
        Message replayed = side.post();
        assertThat(replayed.status()).isEqualTo(201);
        assertThat(replayed.text()).isEqualTo(ANSWER);
        assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(side.asked()).as("asked once").isEqualTo(1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }
}
