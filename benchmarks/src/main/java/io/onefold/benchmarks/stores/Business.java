package io.onefold.benchmarks.stores;

import java.util.concurrent.atomic.LongAdder;

/**
 * What is to happen once for each key: it builds a JSON text of 300 bytes, and counts. Each slice has one of its own, whose name is
 * in the results: what was run again in a later slice looks different.
 */
final class Business {
    static final int RESULT_BYTES = 300;

    private static final String END = "\"}";
    private static final String FILLING = "delivered to the door, signed for by the neighbour; ".repeat(6);

    private final LongAdder executions = new LongAdder();
    private final String slice;

    Business(String slice) {
        this.slice = slice;
    }

    String run(String key) {
        executions.increment();
        return result(key);
    }

    String result(String key) {
        StringBuilder json = new StringBuilder(RESULT_BYTES)
                .append("{\"order\":\"")
                .append(key)
                .append("\",\"slice\":\"")
                .append(slice)
                .append("\",\"cents\":")
                .append(cents(key))
                .append(",\"note\":\"");
        return json.append(FILLING, 0, RESULT_BYTES - END.length() - json.length())
                .append(END)
                .toString();
    }

    /** What the caller sends; the subjects that compare payloads take its hash. */
    Order request(String key) {
        return new Order(key, "customer-" + cents(key) % 1_000, cents(key), "EUR");
    }

    String slice() {
        return slice;
    }

    long executions() {
        return executions.sum();
    }

    private static int cents(String key) {
        return 100 + Math.floorMod(key.hashCode(), 100_000);
    }

    record Order(String id, String customer, long cents, String currency) {}
}
