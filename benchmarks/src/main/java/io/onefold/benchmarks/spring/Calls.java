package io.onefold.benchmarks.spring;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.Idempotent;
import io.onefold.spring.Printer;
import io.onefold.store.MemoryStore;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Calls of one method, through the annotation and through the API that it stands for. */
final class Calls {
    private static final Operation<Receipt> PLAIN = Operation.of("plain", Receipt.class);
    private static final int BATCH = 2_000;
    private static final int WARM_UP = 60;

    private final Onefold onefold = Onefold.on(new MemoryStore());
    private int made;

    private Calls() {}

    /** In microseconds: medians over the rounds. */
    record Result(double plainReplay, double annotatedReplay, double plainFirst, double annotatedFirst) {}

    record Order(String id, int amount, String currency) {}

    record Receipt(String order, int number) {}

    @EnableIdempotent
    static class Enabled {}

    static class Shop {
        @Idempotent(operation = "annotated", key = "#p0.id")
        public Receipt pay(Order order) {
            return new Receipt(order.id, 1);
        }
    }

    static Result measure(int rounds) {
        Calls calls = new Calls();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(Onefold.class, () -> calls.onefold);
            context.register(Enabled.class, Shop.class);
            context.refresh();
            Shop shop = context.getBean(Shop.class);
            Order known = new Order("known", 42, "EUR");
            IntConsumer plainReplay = i -> calls.plain(known);
            IntConsumer annotatedReplay = i -> shop.pay(known);
            IntConsumer plainFirst = i -> calls.plain(calls.next());
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

    private void plain(Order order) {
        // the same fingerprint that the annotation takes
        onefold.run(
                PLAIN,
                Key.of(order.id).matching(Printer.STANDARD.print(Map.of("order", order))),
                attempt -> new Receipt(order.id, 1));
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
