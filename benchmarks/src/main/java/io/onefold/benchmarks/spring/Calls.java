package io.onefold.benchmarks.spring;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.jackson.JacksonCodec;
import io.onefold.payload.Codec;
import io.onefold.payload.Fingerprinter;
import io.onefold.payload.JsonCodec;
import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.Idempotent;
import io.onefold.store.MemoryStore;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Calls of one method, through the annotation and through the API that it stands for. */
final class Calls implements AutoCloseable {
    private static final Operation<Receipt> PLAIN = Operation.of("plain", Receipt.class);
    private static final Operation<Receipt> ANNOTATED = Operation.of("annotated", Receipt.class);
    private static final int BATCH = 2_000;
    private static final int WARM_UP = 60;

    private final Onefold onefold;
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Shop shop;
    private int made;

    private Calls(Codec codec) {
        this.onefold = Onefold.builder(new MemoryStore()).codec(codec).build();
        context.registerBean(Onefold.class, () -> onefold);
        context.register(Enabled.class, Shop.class);
        context.refresh();
        this.shop = context.getBean(Shop.class);
    }

    /** With what core brings. */
    static Calls bare() {
        return new Calls(new JsonCodec());
    }

    /** With what an application with the starter has. */
    static Calls withJackson() {
        return new Calls(JacksonCodec.standard());
    }

    /** In microseconds: medians over the rounds. */
    record Result(double plainReplay, double annotatedReplay, double plainFirst, double annotatedFirst) {}

    record Order(String id, int amount, String currency) {}

    record Receipt(String order, int number) {}

    @Override
    public void close() {
        context.close();
    }

    @EnableIdempotent
    static class Enabled {}

    static class Shop {
        @Idempotent(operation = "annotated", key = "#p0.id")
        public Receipt pay(Order order) {
            return new Receipt(order.id, 1);
        }
    }

    static Result measure(Calls calls, int rounds) {
        try (calls) {
            calls.compare();
            Shop shop = calls.shop;
            Order known = new Order("known", 42, "EUR");
            IntConsumer plainReplay = i -> calls.plain(PLAIN, known);
            IntConsumer annotatedReplay = i -> shop.pay(known);
            IntConsumer plainFirst = i -> calls.plain(PLAIN, calls.next());
            IntConsumer annotatedFirst = i -> shop.pay(calls.next());
            IntConsumer[] ways = {plainReplay, annotatedReplay, plainFirst, annotatedFirst};
            double[][] took = new double[ways.length][rounds];
            for (int round = -WARM_UP; round < rounds; round++) {
                for (int way = 0; way < ways.length; way++) {
                    long began = System.nanoTime();
                    for (int i = 0; i < BATCH; i++) {
                        ways[way].accept(i);
                    }
                    if (round >= 0) {
                        took[way][round] = (System.nanoTime() - began) / (double) TimeUnit.MICROSECONDS.toNanos(BATCH);
                    }
                }
            }
            return new Result(median(took[0]), median(took[1]), median(took[2]), median(took[3]));
        }
    }

    /** Both ways do the same work: what one has done, the other replays, which it would refuse to with another fingerprint. */
    void compare() {
        Order order = next();
        Receipt receipt = shop.pay(order);
        if (!receipt.equals(plain(ANNOTATED, order))) {
            throw new IllegalStateException("both ways name one record, and answer differently");
        }
    }

    private Receipt plain(Operation<Receipt> operation, Order order) {
        Key key = Key.of(order.id).matching(Fingerprinter.standard().value(order));
        return Objects.requireNonNull(onefold.run(operation, key, attempt -> new Receipt(order.id, 2)));
    }

    private Order next() {
        return new Order("o-" + ++made, 42, "EUR");
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
