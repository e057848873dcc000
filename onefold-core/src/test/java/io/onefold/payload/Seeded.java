package io.onefold.payload;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Runs a property with one generator per round, and names the seed of the round that failed. */
final class Seeded {

    private static final long FIRST = 20_260_101;

    static void rounds(int count, Consumer<SplittableRandom> property) {
        for (long seed = FIRST; seed < FIRST + count; seed++) {
            try {
                property.accept(new SplittableRandom(seed));
            } catch (RuntimeException | AssertionError | StackOverflowError e) {
                throw new AssertionError("Failed with seed " + seed, e);
            }
        }
    }

    static <T> T pick(SplittableRandom random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Text that likes delimiters, escapes, control characters and characters of every UTF-8 length. */
    static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(6);
        for (int i = 0; i < length; i++) {
            text.append(pick(
                    random,
                    List.of(
                            "a",
                            "b",
                            ".",
                            ",",
                            ":",
                            "\"",
                            "\\",
                            "{",
                            "}",
                            "[",
                            "]",
                            "0",
                            "\u0000",
                            "\n",
                            "\u001f",
                            "é",
                            "€",
                            "\uD83D\uDE00",
                            "\uFFFF",
                            "\u2028")));
        }
        return text.toString();
    }

    private Seeded() {}
}
