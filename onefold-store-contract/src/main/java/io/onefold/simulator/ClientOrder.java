package io.onefold.simulator;

import org.jspecify.annotations.Nullable;

/**
 * An intent of a client: its tenant, key and payload. The same key with another payload is another intent.
 *
 * @param answer the form of its result
 */
record ClientOrder(String tenant, String key, int payload, ExpectedResult answer) {

    enum ExpectedResult {
        RECEIPT,
        NOTHING,
        EMPTY,
        TOO_LARGE
    }

    /** The result for the bank's receipt. */
    @Nullable
    String reply(String receipt) {
        return switch (answer) {
            case RECEIPT -> receipt;
            case NOTHING -> null;
            case EMPTY -> "";
            case TOO_LARGE -> receipt.repeat(200);
        };
    }

    @Override
    public String toString() {
        return tenant + "/" + key + "/" + payload;
    }
}
