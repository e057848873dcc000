package io.onefold.http;

import java.util.SplittableRandom;

/** Runs a property with one generator per round, and names the seed of the round that failed. */
final class Seeded {
    private static final long FIRST = 20_260_101;

    interface Property {
        void check(SplittableRandom random) throws Exception;
    }

    static void rounds(int count, Property property) {
        for (long seed = FIRST; seed < FIRST + count; seed++) {
            try {
                property.check(new SplittableRandom(seed));
            } catch (Exception | AssertionError | StackOverflowError e) {
                throw new AssertionError("Failed with seed " + seed, e);
            }
        }
    }

    static <T> T pick(SplittableRandom random, T[] from) {
        return from[random.nextInt(from.length)];
    }

    static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Pieces put together at random. */
    static String text(SplittableRandom random, int most, String... pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(pick(random, pieces));
        }
        return text.toString();
    }

    private Seeded() {}
}
