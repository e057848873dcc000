package io.onefold.server;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Presets;
import io.onefold.Timer;
import io.onefold.Verdict;
import io.onefold.server.Shop.Order;
import io.onefold.server.Shop.Receipt;
import io.onefold.store.MemoryStore;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.upkeep.Reconciler;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The story of one order that is sent too often, told on an in-memory store. */
final class Demo {
    private static final int COPIES = 5;
    private static final Operation<Receipt> CHARGE =
            Operation.of("charge", Receipt.class).keepFor(Presets.PAYMENT);
    private static final Operation<Receipt> CHARGE_ON_A_SHORT_LEASE = CHARGE.lease(Duration.ofMillis(300));

    private final Story story;
    private final Store store = new MemoryStore();
    private final Onefold onefold = Onefold.on(store);

    private Demo(Story story) {
        this.story = story;
    }

    /** Whether every line held. */
    static boolean tell(PrintStream out) {
        Story story = new Story(out);
        Demo demo = new Demo(story);
        try {
            demo.withoutOnefold();
            demo.withOnefold();
            demo.changedPayload();
            demo.lostOwner();
        } finally {
            demo.onefold.close();
        }
        story.end("That was Onefold: however often a request arrives, it has one effect and one answer.");
        return story.held();
    }

    private void withoutOnefold() {
        story.chapter("1. An order is sent " + COPIES + " times at once, without Onefold");
        Shop shop = new Shop();
        Order order = new Order("order-1", "ann", 4_200);
        atOnce(() -> shop.charge(order, "none"));
        story.line(shop.charges() == COPIES, "the customer was charged " + shop.charges() + " times");
    }

    private void withOnefold() {
        story.chapter("2. The same " + COPIES + " copies, each through Onefold");
        Shop shop = new Shop();
        Order order = new Order("order-2", "ann", 4_200);
        List<Outcome<Receipt>> outcomes = atOnce(() -> charge(onefold, shop, order));
        long executed = outcomes.stream()
                .filter(outcome -> outcome instanceof Outcome.Executed)
                .count();
        long replayed = outcomes.stream()
                .filter(outcome -> outcome instanceof Outcome.Replayed)
                .count();
        long answers = outcomes.stream().map(Outcome::orThrow).distinct().count();
        story.line(shop.charges() == 1, "the customer was charged " + shop.charges() + " time");
        story.line(
                executed == 1 && replayed == COPIES - 1,
                executed + " copy ran, " + replayed + " had the answer replayed");
        story.line(
                answers == 1,
                "all " + COPIES + " hold the same receipt: " + outcomes.get(0).orThrow());
    }

    private void changedPayload() {
        story.chapter("3. The same key with another amount");
        Shop shop = new Shop();
        charge(onefold, shop, new Order("order-3", "bob", 1_000));
        Outcome<Receipt> outcome = charge(onefold, shop, new Order("order-3", "bob", 9_999));
        story.line(
                outcome.equals(new Outcome.Conflict<>(List.of("cents"))), "refused; what differs: " + fields(outcome));
        story.line(shop.charges() == 1, "the customer was charged " + shop.charges() + " time");
    }

    private static List<String> fields(Outcome<Receipt> outcome) {
        return outcome instanceof Outcome.Conflict<Receipt> conflict ? conflict.fields() : List.of();
    }

    private void lostOwner() {
        story.chapter("4. A process is lost in mid-charge: the provider has charged, nobody heard the answer");
        Shop shop = new Shop();
        Order order = new Order("order-4", "eve", 7_700);
        Onefold lost = Onefold.builder(store).timer(new StoppedTimer()).build();
        CompletableFuture<Receipt> neverTold = new CompletableFuture<>();
        CompletableFuture<Boolean> charged = new CompletableFuture<>();
        var unused = lost.attemptAsync(CHARGE_ON_A_SHORT_LEASE, key(order), attempt -> {
            shop.charge(order, attempt.childKey("provider"));
            charged.complete(true);
            return neverTold;
        });
        charged.join();
        story.line(
                shop.charges() == 1, "the customer was charged " + shop.charges() + " time, and the process is gone");

        Outcome<Receipt> retried = charge(onefold, shop, order);
        while (retried instanceof Outcome.Busy) {
            retried = charge(onefold, shop, order);
        }
        story.line(retried instanceof Outcome.Unknown, "a retry is told that the outcome is unknown, and runs nothing");

        Reconciler reconciler = new Reconciler(onefold, Timer.system("onefold-demo")).probe(CHARGE, stuck -> {
            Receipt receipt = shop.find(stuck.childKey("provider"));
            return receipt == null ? Verdict.unknown() : Verdict.executed(receipt);
        });
        reconciler.runOnce(() -> true);
        Status status =
                onefold.find(CHARGE, key(order)).map(StoredRecord::status).orElseThrow();
        story.line(
                status == Status.SUCCESS,
                "the provider is asked for the charge by its child key; the record is settled: " + status);

        Outcome<Receipt> settled = charge(onefold, shop, order);
        story.line(
                settled instanceof Outcome.Replayed && shop.charges() == 1,
                "the next retry gets the receipt, still " + shop.charges() + " charge: " + settled.orThrow());
    }

    private static Outcome<Receipt> charge(Onefold through, Shop shop, Order order) {
        return through.attempt(CHARGE, key(order), attempt -> shop.charge(order, attempt.childKey("provider")));
    }

    private static Key key(Order order) {
        return Key.of(order.id()).matching(order);
    }

    private static <A> List<A> atOnce(Supplier<A> call) {
        List<CompletableFuture<A>> calls = Stream.generate(
                        () -> CompletableFuture.supplyAsync(call, task -> new Thread(task).start()))
                .limit(COPIES)
                .toList();
        return calls.stream().map(CompletableFuture::join).toList();
    }

    /** Of a process that is gone: nothing that it meant to do later happens, renewing its lease least of all. */
    private static final class StoppedTimer implements Timer {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public Cancellable after(Duration delay, Runnable task) {
            return () -> {};
        }
    }
}
