package io.onefold.server;

import static io.onefold.server.Checkout.CHARGE;

import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Timer;
import io.onefold.Verdict;
import io.onefold.server.Shop.Order;
import io.onefold.server.Shop.Receipt;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.upkeep.Reconciler;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The story of one order that is sent too often, and of a process that is killed, told on a SQLite file of its own. */
final class Demo {
    private static final int COPIES = 10;
    private static final Operation<Receipt> CHARGE_WITHOUT_WAITING = CHARGE.waitFor(Duration.ZERO);
    private static final Duration BETWEEN_RETRIES = Duration.ofMillis(50);

    private final Story story;
    private final Path directory;
    private final Checkout checkout;
    private final Shop shop;

    private Demo(Story story, Path directory, Checkout checkout) {
        this.story = story;
        this.directory = directory;
        this.checkout = checkout;
        this.shop = checkout.shop();
    }

    /** Whether every line held. */
    static boolean tell(PrintStream out) {
        Story story = new Story(out);
        Path directory = newDirectory();
        try (Checkout checkout = Checkout.in(directory)) {
            story.progress("records and charges are in " + directory + " until the end");
            Demo demo = new Demo(story, directory, checkout);
            demo.withoutOnefold();
            demo.withOnefold();
            demo.changedPayload();
            demo.lostOwner();
        } finally {
            delete(directory);
        }
        story.end("That was Onefold: however often a request arrives, it has one effect and one answer.");
        return story.held();
    }

    private void withoutOnefold() {
        story.chapter("1. An order is sent " + COPIES + " times at once, without Onefold");
        Order order = new Order("order-1", "ann", 4_200);
        atOnce(() -> shop.charge(order, "none"));
        story.line(shop.charges(order) == COPIES, charged(order));
    }

    private void withOnefold() {
        story.chapter("2. Another " + COPIES + " copies of an order, each through Onefold");
        Order order = new Order("order-2", "ann", 4_200);
        List<Outcome<Receipt>> outcomes = atOnce(() -> checkout.charge(order));
        long executed = outcomes.stream()
                .filter(outcome -> outcome instanceof Outcome.Executed)
                .count();
        long replayed = outcomes.stream()
                .filter(outcome -> outcome instanceof Outcome.Replayed)
                .count();
        story.line(shop.charges(order) == 1, charged(order));
        story.line(
                executed == 1 && replayed == COPIES - 1,
                executed + " copy ran, " + replayed + " had the answer replayed");
        if (executed + replayed == COPIES) {
            List<Receipt> receipts =
                    outcomes.stream().map(Outcome::orThrow).distinct().toList();
            story.line(receipts.size() == 1, "all " + COPIES + " hold the same receipt: " + receipts);
        }
    }

    private void changedPayload() {
        story.chapter("3. The same key with another amount");
        Order order = new Order("order-3", "bob", 1_000);
        checkout.charge(order);
        Outcome<Receipt> outcome = checkout.charge(new Order(order.id(), "bob", 9_999));
        story.line(
                outcome.equals(new Outcome.Conflict<>(List.of("cents"))), "refused; what differs: " + fields(outcome));
        story.line(shop.charges(order) == 1, charged(order));
    }

    private static List<String> fields(Outcome<Receipt> outcome) {
        return outcome instanceof Outcome.Conflict<Receipt> conflict ? conflict.fields() : List.of();
    }

    private void lostOwner() {
        story.chapter("4. A process is killed in mid-charge: the provider has charged, nobody heard the answer");
        Order order = LostOwner.ORDER;
        story.progress("a second process charges an order through Onefold, on the same files");
        boolean killed = LostOwner.kill(directory);
        story.line(killed, "the provider has charged, and the process was killed before it could say so");
        Outcome<Receipt> retried = checkout.charge(CHARGE_WITHOUT_WAITING, order);
        story.line(retried instanceof Outcome.Busy, "a retry is told to come back: somebody seems to be at work on it");

        story.progress("retrying until the lease of the killed process is over");
        while (retried instanceof Outcome.Busy) {
            LockSupport.parkNanos(BETWEEN_RETRIES.toNanos());
            retried = checkout.charge(CHARGE_WITHOUT_WAITING, order);
        }
        story.line(
                retried instanceof Outcome.Unknown && status(order) == Status.UNKNOWN && shop.charges(order) == 1,
                "a retry is told that the outcome is " + status(order) + ", and runs nothing; " + charged(order));

        Reconciler reconciler = new Reconciler(checkout.onefold(), Timer.system("onefold-demo"))
                .probe(CHARGE, stuck -> {
                    Receipt receipt = shop.find(stuck.childKey("provider"));
                    return receipt == null ? Verdict.unknown() : Verdict.executed(receipt);
                });
        reconciler.runOnce(() -> true);
        story.line(
                status(order) == Status.SUCCESS,
                "the provider is asked for the charge by its child key; the record is settled: " + status(order));

        Outcome<Receipt> settled = checkout.charge(order);
        story.line(
                settled instanceof Outcome.Replayed && shop.charges(order) == 1,
                "the next retry gets the receipt; " + charged(order) + ": " + settled);
    }

    private Status status(Order order) {
        return checkout.onefold()
                .find(CHARGE, Checkout.key(order))
                .map(StoredRecord::status)
                .orElseThrow();
    }

    private String charged(Order order) {
        long charges = shop.charges(order);
        return "the customer was charged " + (charges == 1 ? "once" : charges + " times");
    }

    private static <A> List<A> atOnce(Supplier<A> call) {
        List<CompletableFuture<A>> calls = Stream.generate(
                        () -> CompletableFuture.supplyAsync(call, task -> new Thread(task).start()))
                .limit(COPIES)
                .toList();
        return calls.stream().map(CompletableFuture::join).toList();
    }

    private static Path newDirectory() {
        try {
            return Files.createTempDirectory("onefold-demo");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> inside = Files.walk(directory)) {
            for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
