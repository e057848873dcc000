package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PruningTest {
    private static final String[] NAMES = {"a", "b", "c", "a.b", ""};
    private static final String[] PATHS = {"a", "b", "a.b", "b.a", "a.b.c", "a.a", "c.b"};

    private static String[] paths(SplittableRandom random) {
        return Stream.generate(() -> Seeded.pick(random, PATHS))
                .limit(random.nextInt(3))
                .toArray(String[]::new);
    }

    /** What is left of a tree has the same fingerprint exactly if a fingerprinter with the same paths says so. */
    @Test
    void paths_mean_the_same_as_to_a_fingerprinter() {
        int[] seen = new int[3];
        Seeded.rounds(10_000, random -> {
            BodyRules rules = BodyRules.standard();
            Fingerprinter fingerprinter = Fingerprinter.standard();
            try {
                String[] only = paths(random);
                String[] ignored = paths(random);
                rules = rules.only(only).ignoring(ignored);
                fingerprinter = only.length == 0 ? fingerprinter : fingerprinter.only(only);
                fingerprinter = ignored.length == 0 ? fingerprinter : fingerprinter.ignoring(ignored);
            } catch (IllegalArgumentException e) {
                return;
            }
            Object one = tree(random, 0);
            Object other = random.nextInt(3) == 0 ? tree(random, 0) : changed(random, one);
            Fingerprint expectedOne = print(fingerprinter, one);
            Fingerprint expectedOther = print(fingerprinter, other);
            Fingerprint prunedOne = print(rules, one);
            Fingerprint prunedOther = print(rules, other);
            if ((expectedOne == null) != (prunedOne == null) || (expectedOther == null) != (prunedOther == null)) {
                throw new AssertionError(one + " or " + other + " with " + rules.only + " without " + rules.ignoring);
            }
            if (prunedOne == null || prunedOther == null || expectedOne == null) {
                seen[0]++;
                return;
            }
            boolean same = expectedOne.equals(expectedOther);
            seen[same ? 1 : 2]++;
            if (same != prunedOne.equals(prunedOther)) {
                throw new AssertionError(one + " and " + other + " with " + rules.only + " without " + rules.ignoring);
            }
        });
        assertThat(Arrays.stream(seen).boxed())
                .as("refused, same and different")
                .allMatch(count -> count > 800);
    }

    private static @Nullable Fingerprint print(Fingerprinter fingerprinter, @Nullable Object tree) {
        try {
            return fingerprinter.value(tree);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable Fingerprint print(BodyRules rules, @Nullable Object tree) {
        try {
            return Fingerprinter.standard().value(new FieldPruner(rules).prune(tree));
        } catch (ProblemException e) {
            return null;
        }
    }

    private static @Nullable Object tree(SplittableRandom random, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 8);
        if (depth > 3 || kind > 5) {
            return random.nextInt(3);
        }
        if (kind == 0) {
            List<@Nullable Object> list = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                list.add(tree(random, depth + 1));
            }
            return list;
        }
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(Seeded.pick(random, NAMES), tree(random, depth + 1));
        }
        return map;
    }

    /** Somewhere, or nowhere. */
    private static @Nullable Object changed(SplittableRandom random, @Nullable Object tree) {
        if (random.nextInt(4) == 0) {
            return tree(random, 1);
        }
        if (tree instanceof Map<?, ?> map && !map.isEmpty()) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            int which = random.nextInt(map.size());
            map.forEach(
                    (name, value) -> copy.put((String) name, copy.size() == which ? changed(random, value) : value));
            return copy;
        }
        return tree;
    }
}
