package io.onefold.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the demo is about: orders, and a payment provider that charges whenever it is asked to. */
final class Shop {

    record Order(String id, String customer, long cents) {}

    record Receipt(String number, String order, long cents) {}

    private final AtomicInteger charges = new AtomicInteger();
    private final Map<String, Receipt> byReference = new ConcurrentHashMap<>();

    /**
     * Charges the customer, again each time.
     *
     * @param reference what the charge can be looked up by later
     */
    Receipt charge(Order order, String reference) {
        Receipt receipt = new Receipt("R-" + charges.incrementAndGet(), order.id(), order.cents());
        byReference.put(reference, receipt);
        return receipt;
    }

    @Nullable
    Receipt find(String reference) {
        return byReference.get(reference);
    }

    int charges() {
        return charges.get();
    }
}
