package io.onefold.http;

/** Bytes as decisions, so that whoever makes the bytes makes a value out of a grammar; zeros when they have run out. */
final class Choices {
    private final byte[] bytes;
    private int at;

    Choices(byte[] bytes) {
        this.bytes = bytes;
    }

    /** From 0 to below the bound, which is 256 at most. */
    int below(int bound) {
        return at < bytes.length ? (bytes[at++] & 0xFF) % bound : 0;
    }

    boolean yes() {
        return below(2) == 1;
    }

    String pick(String... from) {
        return from[below(from.length)];
    }

    /** Pieces put together. */
    String text(int most, String... pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = below(most + 1); i > 0; i--) {
            text.append(pick(pieces));
        }
        return text.toString();
    }
}
