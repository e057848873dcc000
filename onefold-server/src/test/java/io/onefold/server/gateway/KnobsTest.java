package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the file says of routes and of all of them. */
@Timeout(60)
class KnobsTest {
    @TempDir
    Path directory;

    @Test
    void a_list_of_a_route_stands_in_place_of_that_of_the_defaults() throws Exception {
        try (Rig rig = Rig.with(directory, """
                defaults:
                  fingerprint: {ignore: [a], ignore-query: [x], headers: [X-Old]}
                  never-store: [418]
                routes:
                  - match: POST /other
                    fingerprint: {ignore: [b], ignore-query: [y], headers: [X-New]}
                    never-store: [422]
                  - match: POST /all
                    fingerprint: {ignore: [], ignore-query: [], body: raw}
                  - match: POST /only
                    fingerprint: {only: [a.c], ignore: []}
                """)) {
            String[] old = {"X-Old: 1"};
            rig.client.post("/orders?x=1", "1", "{\"a\":1,\"b\":1}", old);
            assertThat(replays(rig, "/orders?x=2", "1", "{\"a\":2,\"b\":1}", old))
                    .isTrue();
            assertThat(replays(rig, "/orders?x=1", "1", "{\"a\":1,\"b\":1}", "X-Old: 2"))
                    .isFalse();

            rig.client.post("/other?x=1&y=1", "2", "{\"a\":1,\"b\":1}", "X-New: 1", "X-Old: 1");
            assertThat(replays(rig, "/other?x=1&y=2", "2", "{\"a\":1,\"b\":2}", "X-New: 1", "X-Old: 2"))
                    .isTrue();
            assertThat(replays(rig, "/other?x=1&y=1", "2", "{\"a\":2,\"b\":1}", "X-New: 1"))
                    .as("another a, which the route does not ignore")
                    .isFalse();
            assertThat(replays(rig, "/other?x=2&y=1", "2", "{\"a\":1,\"b\":1}", "X-New: 1"))
                    .isFalse();

            rig.client.post("/all?x=1", "3", "{\"a\":1}");
            assertThat(replays(rig, "/all?x=1", "3", "{\"a\":2}")).isFalse();
            assertThat(replays(rig, "/all?x=2", "3", "{\"a\":1}")).isFalse();

            rig.client.post("/only", "4", "{\"a\":{\"c\":1,\"d\":1}}");
            assertThat(replays(rig, "/only", "4", "{\"a\":{\"c\":1,\"d\":2}}")).isTrue();

            rig.service.does(Behaviour.answers(418, ""));
            rig.client.post("/orders", "5", "{}");
            rig.client.post("/other", "5", "{}");
            assertThat(replays(rig, "/orders", "5", "{}")).as("418 is not kept").isFalse();
            assertThat(replays(rig, "/other", "5", "{}")).as("418 is kept").isTrue();
        }
    }

    private static boolean replays(Rig rig, String path, String key, String body, String... headers) {
        return rig.client
                .post(path, key, body, headers)
                .header("Idempotent-Replayed")
                .equals("true");
    }

    @Test
    void no_more_wait_than_are_allowed_to() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Service service = Service.start().does(Behaviour.waits(gate));
        try (Rig rig = Rig.with(service, directory, """
                waiters: {per-key: 2, in-all: 3}
                defaults: {wait: 50s, in-progress: 425, in-progress.message: Please be patient.}
                """)) {
            CompletableFuture<Message> a = rig.client.postAsync("/orders", "a", "{}");
            CompletableFuture<Message> b = rig.client.postAsync("/orders", "b", "{}");
            Rig.await("the service is asked", () -> service.seen().size() == 2);
            List<CompletableFuture<Message>> ofA = duplicates(rig, "a", 5, 3);
            List<CompletableFuture<Message>> ofB = duplicates(rig, "b", 4, 3);
            gate.countDown();
            assertThat(answered(ofA, a)).as("those who waited for the first").hasSize(2);
            assertThat(answered(ofB, b)).as("the only place that was left").hasSize(1);
        }
    }

    /** As many at once; returns when so many of them were told to come back. */
    private static List<CompletableFuture<Message>> duplicates(Rig rig, String key, int count, int told)
            throws InterruptedException {
        List<CompletableFuture<Message>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(rig.client.postAsync("/orders", key, "{}"));
        }
        Rig.await("others are told", () -> done(all).size() >= told);
        assertThat(done(all)).hasSize(told).allSatisfy(KnobsTest::told);
        return all;
    }

    private static List<Message> done(List<CompletableFuture<Message>> all) {
        return all.stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .toList();
    }

    private static List<Message> answered(List<CompletableFuture<Message>> all, CompletableFuture<Message> first) {
        return all.stream()
                .map(CompletableFuture::join)
                .filter(one -> one.text().equals(first.join().text()))
                .toList();
    }

    private static void told(Message told) {
        assertThat(told.status()).isEqualTo(425);
        assertThat(told.problem()).isEqualTo("in-progress");
        assertThat(told.text()).contains("Please be patient.");
    }
}
