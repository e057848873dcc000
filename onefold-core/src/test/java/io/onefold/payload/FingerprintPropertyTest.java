package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Fingerprints are equal if and only if payloads are, against an independent notion of equality: stripped BigDecimals
 * in maps.
 */
class FingerprintPropertyTest {

    private static final Fingerprinter STANDARD = Fingerprinter.standard();

    @Test
    void fingerprints_are_equal_exactly_when_payloads_are() {
        int[] equal = new int[1];
        Seeded.rounds(3_000, random -> {
            Object one = tree(random, 0);
            Object other = random.nextInt(3) == 0 ? tree(random, 0) : mutate(one, random);
            Fingerprint ofOne = STANDARD.json(spell(one, random));
            Fingerprint ofOther = random.nextBoolean() ? STANDARD.value(other) : STANDARD.json(spell(other, random));
            assertThat(ofOne.equals(ofOther)).isEqualTo(normal(one).equals(normal(other)));
            equal[0] += ofOne.equals(ofOther) ? 1 : 0;
        });
        assertThat(equal[0]).isBetween(600, 2_400);
    }

    @Test
    void any_difference_is_named_and_nothing_else() {
        FingerprintKeys keys = FingerprintKeys.none();
        Seeded.rounds(3_000, random -> {
            Object one = random.nextInt(4) > 0 ? members(random, 0, 40) : tree(random, 0);
            Object other = random.nextInt(3) == 0 ? members(random, 0, 40) : mutate(one, random);
            byte[] stored = keys.storedFields(STANDARD.value(one), "saltsalt".getBytes(UTF_8));
            List<String> names = keys.differing(stored, STANDARD.value(other));
            assertThat(names.isEmpty()).isEqualTo(normal(one).equals(normal(other)));
            assertThat(names).isSorted().hasSizeLessThanOrEqualTo(32);
            assertThat(STANDARD.value(one).fields()).hasSizeLessThanOrEqualTo(32);
        });
    }

    private static @Nullable Object tree(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth > 4 ? 5 : 7)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2, 3 -> number(random);
            case 4 -> Seeded.text(random);
            case 5 -> members(random, depth, 4);
            default -> {
                List<@Nullable Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(tree(random, depth + 1));
                }
                yield list;
            }
        };
    }

    private static Map<String, @Nullable Object> members(SplittableRandom random, int depth, int most) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (int i = random.nextInt(most); i > 0; i--) {
            String name = random.nextBoolean() ? "m" + random.nextInt(most) : Seeded.text(random);
            members.put(random.nextInt(20) == 0 ? name.repeat(40) : name, tree(random, depth + 1));
        }
        return members;
    }

    private static BigDecimal number(SplittableRandom random) {
        long unscaled = Seeded.pick(random, List.of(0L, 1L, -1L, 10L, 12L, 9007199254740993L, 9007199254740992L));
        return BigDecimal.valueOf(unscaled, random.nextInt(-3, 4));
    }

    /** The same payload in another order, with numbers of another scale, and half the time with one small change. */
    private static @Nullable Object mutate(@Nullable Object tree, SplittableRandom random) {
        if (random.nextInt(8) == 0) {
            return Seeded.pick(random, List.of("", 0, List.of(), Map.of(), Map.of("m1", 1), false));
        }
        if (tree instanceof Map<?, ?> map) {
            List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
            Collections.reverse(entries);
            Map<String, @Nullable Object> mutated = new LinkedHashMap<>();
            int changed = random.nextInt(2 * entries.size() + 1);
            for (int i = 0; i < entries.size(); i++) {
                Object value = entries.get(i).getValue();
                mutated.put((String) entries.get(i).getKey(), i == changed ? mutate(value, random) : value);
            }
            return mutated;
        }
        if (tree instanceof List<?> list && !list.isEmpty()) {
            List<@Nullable Object> mutated = new ArrayList<>(list);
            int at = random.nextInt(list.size());
            mutated.set(at, mutate(list.get(at), random));
            return mutated;
        }
        return tree instanceof BigDecimal number ? number.setScale(number.scale() + 2) : tree;
    }

    private static Object normal(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            Map<Object, Object> normal = new LinkedHashMap<>();
            map.forEach((name, value) -> normal.put(name, normal(value)));
            return normal;
        }
        if (tree instanceof List<?> list) {
            return list.stream().map(FingerprintPropertyTest::normal).toList();
        }
        if (tree instanceof Number number) {
            return new BigDecimal(number.toString()).stripTrailingZeros();
        }
        return tree == null ? Void.class : tree;
    }

    /** JSON with random white space, escapes and exponents. */
    private static String spell(@Nullable Object tree, SplittableRandom random) {
        String space = Seeded.pick(random, List.of("", " ", "\n\t"));
        StringBuilder out = new StringBuilder(space);
        if (tree instanceof Map<?, ?> map) {
            List<String> members = new ArrayList<>();
            map.forEach((name, value) ->
                    members.add(space + quote((String) name, random) + space + ":" + spell(value, random)));
            out.append('{').append(String.join(",", members)).append(space).append('}');
        } else if (tree instanceof List<?> list) {
            out.append('[')
                    .append(String.join(
                            ",", list.stream().map(item -> spell(item, random)).toList()))
                    .append(space)
                    .append(']');
        } else if (tree instanceof String text) {
            out.append(quote(text, random));
        } else if (tree instanceof BigDecimal number) {
            int shift = random.nextInt(-30, 30);
            out.append(number.scaleByPowerOfTen(shift).toPlainString())
                    .append("e")
                    .append(-shift);
        } else {
            out.append(tree);
        }
        return out.append(space).toString();
    }

    private static String quote(String text, SplittableRandom random) {
        StringBuilder out = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c < ' ' || c == '"' || c == '\\' || random.nextInt(4) == 0) {
                for (char unit : Character.toChars(c)) {
                    out.append("\\u").append(HexFormat.of().toHexDigits(unit));
                }
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.append('"').toString();
    }
}
