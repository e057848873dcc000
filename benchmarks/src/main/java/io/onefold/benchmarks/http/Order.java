package io.onefold.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/** What is asked and answered: small, as most are. */
final class Order {
    static final int ASKED_BYTES = 200;
    static final int ANSWERED_BYTES = 300;

    private static final String BEGIN = "{\"order\":\"";
    private static final String END = "\"}";
    private static final int KEY_LENGTH = 36;
    private static final String FILLING = "delivered to the door, signed for by the neighbour; ".repeat(6);

    private Order() {}

    static String asked(String key) {
        return filled(BEGIN + key + "\",\"cents\":4200,\"currency\":\"EUR\",\"note\":\"", ASKED_BYTES);
    }

    /**
     * @param execution differs if the same is done again
     */
    static String answer(String key, long execution) {
        return filled(beginning(key) + ",\"execution\":" + execution + ",\"note\":\"", ANSWERED_BYTES);
    }

    /** How the answer to a key begins. */
    static String beginning(String key) {
        return BEGIN + key + '"';
    }

    static String key(ByteBuffer asked) {
        byte[] key = new byte[KEY_LENGTH];
        asked.get(asked.position() + BEGIN.length(), key);
        return new String(key, US_ASCII);
    }

    private static String filled(String text, int length) {
        return text + FILLING.substring(0, length - text.length() - END.length()) + END;
    }
}
