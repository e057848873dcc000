package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** The base of an adapter's cases: the adapter, the service behind it, keys of their own, and concurrent requests. */
@Timeout(60)
abstract class AdapterCases {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Executor THREADS = task -> {
        Thread thread = new Thread(task, "client");
        thread.setDaemon(true);
        thread.start();
    };

    final TestService business = new TestService();

    private final AdapterContract contract;
    private final List<RunningAdapter> doors = new ArrayList<>();
    private final Set<KitStore> stores = new LinkedHashSet<>();

    AdapterCases(AdapterContract contract) {
        this.contract = contract;
    }

    @AfterEach
    final void close() throws Exception {
        business.release();
        for (RunningAdapter door : doors) {
            door.close();
        }
        stores.forEach(KitStore::close);
    }

    /** A key that nobody else has. */
    static String key() {
        return "key-" + UUID.randomUUID();
    }

    final void open() throws Exception {
        open(AdapterSetup.plain());
    }

    /** Opens an adapter; the next requests go to it. */
    final AdapterSetup open(AdapterSetup setting) throws Exception {
        return open(contract.fixture(), setting);
    }

    /** Opens an adapter behind which an outcome can be unknown: see {@link AdapterFixture#leased}. */
    final AdapterSetup openLeased(AdapterSetup setting) throws Exception {
        return open(contract.fixture().leased(), setting);
    }

    /** Opens the adapter of the case, if {@link #openLeased} has opened another one. */
    final void openAfterLeased(AdapterSetup setting) throws Exception {
        if (joins()) {
            open(setting);
        }
    }

    private AdapterSetup open(AdapterFixture fixture, AdapterSetup setting) throws Exception {
        setting.kitStore().place(contract.fixture()::store);
        stores.add(setting.kitStore());
        doors.add(fixture.open(setting, business));
        return setting;
    }

    /** Returns {@link AdapterFixture#joins}. */
    final boolean joins() {
        return contract.fixture().joins();
    }

    final RawConnection wire() throws IOException {
        assertThat(doors).as("open doors").isNotEmpty();
        return RawConnection.to(doors.get(doors.size() - 1).port());
    }

    final ReceivedResponse ask(RawRequest request) throws IOException {
        try (RawConnection wire = wire()) {
            wire.send(request);
            return wire.read(request.method());
        }
    }

    /** Sends a request without waiting for the response. */
    final CompletableFuture<ReceivedResponse> begin(RawRequest request) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return ask(request);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                THREADS);
    }

    /** Sends a request, and returns when the test service is at work on it and held. */
    final CompletableFuture<ReceivedResponse> beginHeld(RawRequest request) throws InterruptedException {
        business.hold();
        CompletableFuture<ReceivedResponse> answer = begin(request);
        business.awaitHeld(1);
        return answer;
    }

    /** The request is executed, and so is it when it comes again. */
    final void runsTwice(RawRequest request) throws IOException {
        int before = business.executions();
        ask(request).first(201);
        ask(request).first(201);
        assertThat(business.executions() - before).as("executions").isEqualTo(2);
    }

    /** Checks that the request is executed, and that its response is replayed when it comes again. */
    final ReceivedResponse runsOnce(RawRequest request) throws IOException {
        return replays(request, request);
    }

    /** Checks that the first response is replayed when the request comes again. */
    final ReceivedResponse again(ReceivedResponse first, RawRequest request) throws IOException {
        return ask(request).replays(first);
    }

    /**
     * Checks that a response that was streamed is not replayed when the request comes again. A transactional effect is
     * committed before the location of its result is recorded, so this waits for the location.
     */
    final ReceivedResponse notReplayed(RawRequest request) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        ReceivedResponse again = ask(request).problem(409, "result-not-replayable");
        while (joins() && !again.has("Location") && System.nanoTime() < end) {
            again = ask(request).problem(409, "result-not-replayable");
        }
        return again;
    }

    /** Checks that the first request is executed, and that the second gets its response. */
    final ReceivedResponse replays(RawRequest first, RawRequest second) throws IOException {
        int before = business.executions();
        ReceivedResponse answer = ask(first).first(201);
        ReceivedResponse again = ask(second).replays(answer);
        executed(before + 1);
        return again;
    }

    /** The first request is executed, the second is another under the same key. */
    final ReceivedResponse conflicts(RawRequest first, RawRequest second) throws IOException {
        int before = business.executions();
        ask(first).first(201);
        ReceivedResponse answer = ask(second).problem(422, "key-reused");
        executed(before + 1);
        assertThat(answer.member("retryable")).isEqualTo("false");
        return answer;
    }

    /** Both requests are executed, the second as if there had been no first. */
    final void runsBoth(RawRequest first, RawRequest second) throws IOException {
        int before = business.executions();
        ask(first).first(201);
        ask(second).first(201);
        executed(before + 2);
    }

    /** Checks that the request is rejected because of its key, and that nothing executes it. */
    final ReceivedResponse refuses(RawRequest request, String problem) throws IOException {
        int before = business.executions();
        ReceivedResponse answer = ask(request).problem(400, problem);
        executed(before);
        return answer;
    }

    /** Checks that a returned response is kept whatever its status, if its effect is committed with it. */
    final void keepsWhatWasReturned(ServiceResponse reply) throws IOException {
        if (joins()) {
            int before = business.executions();
            business.does((call, number) -> reply);
            RawRequest request = RawRequest.post(key());
            again(ask(request).first(reply.status()), request);
            executed(before + 1);
        }
    }

    /** Nothing was executed yet, and nothing claimed: the key is free for whatever comes. */
    final void leavesFree(RawRequest other) throws IOException {
        executed(0);
        runsOnce(other);
    }

    final void executed(int times) {
        assertThat(business.executions()).as("executions").isEqualTo(times);
    }
}
