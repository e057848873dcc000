package io.onefold.redis;

import static io.onefold.redis.Redises.COMPLETE;
import static io.onefold.redis.Redises.await;
import static io.onefold.redis.Redises.claimed;
import static io.onefold.redis.Redises.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.Change;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import io.onefold.store.Ticket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two stores on one Redis, as two processes would have them. */
@Timeout(120)
class RedisSignalsTest {
    private static final Operation<String> SLOW = Operation.of("slow", String.class);

    private final RedisServer server = RedisServer.start();
    private final TcpProxy proxy = TcpProxy.to(server.port());
    private final RedisConnections redisHere = RedisConnections.at("redis://127.0.0.1:" + proxy.port());
    private final RedisConnections redisThere = RedisConnections.at(server.uri());
    private final RedisStore here = RedisStore.of(redisHere);
    private final RedisStore there = RedisStore.of(redisThere);

    @AfterEach
    void stop() {
        redisHere.close();
        redisThere.close();
        proxy.close();
        server.close();
    }

    @Test
    void who_waits_is_woken_by_the_end_of_the_record() {
        Ticket ticket = claimed(there);
        AtomicInteger woken = new AtomicInteger();
        RecordSignals.Subscription subscription = here.signals().subscribe(ticket.id(), woken::incrementAndGet);
        await("the record knows of us", () -> waited(ticket.id()));
        int before = settled(woken);
        there.update(ticket, COMPLETE);
        await("the end is heard", () -> woken.get() > before);
        subscription.close();
    }

    @Test
    void the_end_of_a_record_that_nobody_waits_for_is_not_published() {
        Ticket waited = claimed(there);
        Ticket unwaited = claimed(there);
        AtomicInteger woken = new AtomicInteger();
        here.signals().subscribe(waited.id(), woken::incrementAndGet);
        await("the record knows of us", () -> waited(waited.id()));
        server.command("CONFIG", "RESETSTAT");
        there.update(unwaited, COMPLETE);
        there.update(claimed(there), COMPLETE);
        assertThat(server.command("INFO", "commandstats")).doesNotContain("cmdstat_publish");
        there.update(waited, COMPLETE);
        assertThat(server.command("INFO", "commandstats")).contains("cmdstat_publish:calls=1,");
    }

    @Test
    void a_renewal_or_a_checkpoint_does_not_make_a_record_forget_who_waits() {
        Ticket ticket = claimed(there);
        here.signals().subscribe(ticket.id(), () -> {});
        await("the record knows of us", () -> waited(ticket.id()));
        there.update(ticket, new Change.Renew(Duration.ofMinutes(1)));
        there.update(ticket, new Change.SaveCheckpoint(new byte[3]));
        assertThat(waited(ticket.id())).isTrue();
    }

    @Test
    void a_listener_whose_connection_is_cut_listens_again() {
        Ticket ticket = claimed(there);
        AtomicInteger woken = new AtomicInteger();
        here.signals().subscribe(ticket.id(), woken::incrementAndGet);
        await("the record knows of us", () -> waited(ticket.id()));
        int before = settled(woken);
        proxy.cut();
        // back again, it says once more that someone waits, and wakes them, for they may have missed something
        await("it listens again", () -> woken.get() > before);
        await("the channel is listened to", () -> subscribers() > 0);
        int again = settled(woken);
        there.update(ticket, COMPLETE);
        await("the end is heard", () -> woken.get() > again);
    }

    @Test
    void a_message_that_is_lost_costs_time_and_nothing_else() {
        Onefold waiting = Onefold.on(here);
        Onefold working = Onefold.on(there);
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<String> first = work(working, began, goOn);
        join(began);
        CompletableFuture<Outcome<String>> second = duplicate(waiting);
        await("the record knows of us", () -> waited(RecordId.of("", "slow", "one")));
        // forget that someone waits: nothing will be published
        server.command("SETRANGE", key(RecordId.of("", "slow", "one")), "1", "\u0000");
        goOn.countDown();
        assertThat(second.join()).isEqualTo(new Outcome.Replayed<>("done", true));
        assertThat(first.join()).isEqualTo("done");
    }

    @Test
    void a_duplicate_in_another_process_gets_the_answer() {
        Onefold waiting = Onefold.on(here);
        Onefold working = Onefold.on(there);
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<String> first = work(working, began, goOn);
        join(began);
        CompletableFuture<Outcome<String>> second = duplicate(waiting);
        await("the record knows of us", () -> waited(RecordId.of("", "slow", "one")));
        goOn.countDown();
        assertThat(second.join()).isEqualTo(new Outcome.Replayed<>("done", true));
        assertThat(first.join()).isEqualTo("done");
    }

    private static CompletableFuture<String> work(Onefold onefold, CountDownLatch began, CountDownLatch goOn) {
        return CompletableFuture.supplyAsync(
                () -> onefold.run(SLOW, Key.of("one"), attempt -> {
                    began.countDown();
                    join(goOn);
                    return "done";
                }),
                task -> new Thread(task).start());
    }

    private static CompletableFuture<Outcome<String>> duplicate(Onefold onefold) {
        return CompletableFuture.supplyAsync(
                () -> onefold.attempt(SLOW.waitFor(Duration.ofSeconds(60)), Key.of("one"), attempt -> "never"),
                task -> new Thread(task).start());
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Who says that it waits is woken once, after it has been said. */
    private int settled(AtomicInteger woken) {
        await("the waiter was told that it is known", () -> woken.get() > 0);
        return woken.get();
    }

    private boolean waited(RecordId id) {
        return server.command("GETRANGE", key(id), "1", "1").equals("\b");
    }

    private int subscribers() {
        String[] lines = server.command("PUBSUB", "NUMSUB", "onefold:ended").split("\n", -1);
        return Integer.parseInt(lines[lines.length - 1]);
    }
}
