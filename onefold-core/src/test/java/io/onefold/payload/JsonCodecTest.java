package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the codec of core carries beyond the contract of codecs. */
class JsonCodecTest {

    private static final JsonCodec CODEC = new JsonCodec();

    record Rich<A, B>(
            boolean flag,
            char letter,
            byte tiny,
            short small,
            int medium,
            long large,
            float single,
            double wide,
            @Nullable String text,
            @Nullable BigDecimal decimal,
            @Nullable BigInteger integer,
            @Nullable DayOfWeek day,
            @Nullable UUID id,
            @Nullable Instant at,
            Optional<A> maybe,
            @Nullable List<@Nullable B> list,
            Set<A> set,
            Map<String, @Nullable B> byName,
            Map<DayOfWeek, A> byDay,
            Map<Long, Page<B>> byNumber,
            @Nullable Integer boxed) {}

    record Recursive(String name, List<Recursive> children) {}

    record Endless<T>(Endless<List<T>> next) {}

    sealed interface Animal permits Dog {}

    record Dog(String name) implements Animal {}

    @SuppressWarnings("NonApiType")
    interface MoreTypes {
        Rich<Money, List<String>> rich();

        Page<Money>[] pages();

        Map<BigInteger, String> byBig();

        Collection<String> collection();

        LinkedHashSet<Integer> ordered();

        Map<String, Integer> map();

        Page<Object> objects();

        List<? extends Number> wildcard();

        Map<List<String>, String> badKey();

        Map<BigDecimal, String> decimalKey();

        TreeMap<String, String> tree();

        Optional<Optional<String>> twice();

        Endless<String> endless();
    }

    record Money(BigDecimal amount, Currency currency) {}

    record Page<T>(List<T> items, @Nullable T first, Optional<T> last) {}

    record Before(@Nullable String id, int count) {}

    private static @Nullable Object roundTrip(@Nullable Object value, Type type) {
        CODEC.check(type);
        return CODEC.decode(CODEC.encode(value, type), type, 1);
    }

    private static @Nullable Object decode(String json, Type type) {
        return CODEC.decode(json.getBytes(UTF_8), type, 1);
    }

    private static Type type(String name) {
        try {
            return MoreTypes.class.getDeclaredMethod(name).getGenericReturnType();
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    static List<Object> extremes() {
        return List.of(
                new BigDecimal("1E+1000000000"),
                Locale.ROOT,
                Instant.MAX,
                Instant.MIN,
                LocalDate.MAX,
                LocalDate.MIN,
                LocalDateTime.MIN,
                OffsetDateTime.MAX,
                OffsetTime.MAX,
                Duration.ofSeconds(Long.MIN_VALUE),
                Year.of(-5),
                Year.of(10_000),
                YearMonth.of(12_345, 6),
                YearMonth.of(-1, 12));
    }

    @ParameterizedTest
    @MethodSource("extremes")
    void extremes_come_back_too(Object value) {
        assertThat(roundTrip(value, value.getClass())).isEqualTo(value);
    }

    @Test
    void order_and_generic_arrays_are_kept() {
        assertThat(roundTrip(new LinkedHashSet<>(List.of(3, 1, 2)), type("ordered")))
                .hasToString("[3, 1, 2]");
        Map<String, Integer> map = new LinkedHashMap<>();
        map.put("b", 1);
        map.put("a", 2);
        assertThat(roundTrip(map, type("map"))).hasToString("{b=1, a=2}");
        assertThat(roundTrip(List.of("a"), type("collection"))).isEqualTo(List.of("a"));
        assertThat(roundTrip(Map.of(BigInteger.TEN, "x"), type("byBig"))).isEqualTo(Map.of(BigInteger.TEN, "x"));
        Page<Money> page = new Page<>(List.of(), null, Optional.empty());
        assertThat((Object[]) roundTrip(new Page<?>[] {page}, type("pages"))).containsExactly(page);
        assertThat(roundTrip(null, void.class)).isNull();
    }

    @Test
    void a_recursive_record_comes_back() {
        Recursive tree = new Recursive("a", List.of(new Recursive("b", List.of()), new Recursive("c", List.of())));
        assertThat(roundTrip(tree, Recursive.class)).isEqualTo(tree);
    }

    @Test
    void random_values_of_a_rich_generic_record_come_back() {
        Type type = type("rich");
        Seeded.rounds(2_000, random -> {
            Rich<Money, List<String>> rich = rich(random);
            assertThat(CODEC.decode(CODEC.encode(rich, type), type, 1)).isEqualTo(rich);
        });
    }

    private static Rich<Money, List<String>> rich(SplittableRandom random) {
        Map<String, @Nullable List<String>> byName = new LinkedHashMap<>();
        Map<Long, Page<List<String>>> byNumber = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            byName.put(Seeded.text(random), maybe(random, texts(random)));
            Optional<List<String>> last = Optional.ofNullable(maybe(random, texts(random)));
            byNumber.put(random.nextLong(), new Page<>(List.of(texts(random)), maybe(random, texts(random)), last));
        }
        List<@Nullable List<String>> list = new ArrayList<>(List.of(texts(random)));
        list.add(null);
        return new Rich<>(
                random.nextBoolean(),
                (char) random.nextInt(0xD800),
                (byte) random.nextInt(),
                (short) random.nextInt(),
                random.nextInt(),
                random.nextLong(),
                Float.intBitsToFloat(random.nextInt()),
                Double.longBitsToDouble(random.nextLong()),
                maybe(random, Seeded.text(random)),
                maybe(random, decimal(random)),
                maybe(random, BigInteger.valueOf(random.nextLong()).pow(1 + random.nextInt(5))),
                maybe(random, DayOfWeek.of(1 + random.nextInt(7))),
                maybe(random, new UUID(random.nextLong(), random.nextLong())),
                maybe(
                        random,
                        Instant.ofEpochSecond(random.nextLong(-1L << 40, 1L << 40), random.nextInt(1_000_000_000))),
                Optional.ofNullable(maybe(random, money(random))),
                maybe(random, list),
                new LinkedHashSet<>(List.of(money(random))),
                byName,
                Map.of(DayOfWeek.FRIDAY, money(random)),
                byNumber,
                maybe(random, random.nextInt()));
    }

    private static <T> @Nullable T maybe(SplittableRandom random, T value) {
        return random.nextInt(4) == 0 ? null : value;
    }

    private static Money money(SplittableRandom random) {
        return new Money(decimal(random), Currency.getInstance(Seeded.pick(random, List.of("EUR", "JPY", "KWD"))));
    }

    private static BigDecimal decimal(SplittableRandom random) {
        return new BigDecimal(BigInteger.valueOf(random.nextLong()), random.nextInt(-400, 400));
    }

    private static List<String> texts(SplittableRandom random) {
        return List.of(Seeded.text(random), Seeded.text(random));
    }

    @Test
    void numbers_out_of_range_are_refused_never_wrapped() {
        for (Class<?> type : List.of(byte.class, short.class, int.class, long.class, Integer.class, Long.class)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> decode("9223372036854775808", type))
                    .withMessageContaining("fit");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> decode("1e1000000000", type))
                    .withMessageContaining("fit");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> decode("1.5", type))
                    .withMessageContaining("fit");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> decode("128", byte.class));
        assertThatIllegalArgumentException().isThrownBy(() -> decode("1e400", double.class));
        assertThatIllegalArgumentException().isThrownBy(() -> decode("1e40", float.class));
        assertThatIllegalArgumentException().isThrownBy(() -> decode("1e1000000000", BigInteger.class));
        assertThatIllegalArgumentException().isThrownBy(() -> decode("1e3000000000", BigDecimal.class));
        assertThatIllegalArgumentException().isThrownBy(() -> decode("{\"count\":null}", Before.class));
    }

    @Test
    void an_error_names_the_path() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode("{\"byNumber\":{\"1\":{\"items\":[[\"secret\",5]]}}}", type("rich")))
                .withMessage("expected a string, found a number (at byNumber.*.items[][])");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode("{\"at\":\"secret\"}", type("rich")))
                .withMessage("not a java.time.Instant (at at)");
    }

    @Test
    void types_that_stand_for_others_are_refused_with_path_and_way_out() {
        assertRefused(Object.class, "java.lang.Object");
        assertRefused(Animal.class, "Animal");
        assertRefused(type("objects"), "java.lang.Object", "(at items[])");
        assertRefused(type("wildcard"), "? extends java.lang.Number");
        assertRefused(List.class, "java.util.List");
        assertRefused(Page.class, "T", "(at items)");
        assertRefused(type("badKey"), "java.util.List<java.lang.String>", "(at key)");
        assertRefused(type("decimalKey"), "java.math.BigDecimal");
        assertRefused(type("tree"), "java.util.TreeMap");
        assertRefused(type("twice"), "Optional");
        assertRefused(Number.class, "java.lang.Number");
        assertRefused(Throwable.class, "java.lang.Throwable");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CODEC.check(type("endless")))
                .withMessageContaining("nested deeper");
    }

    private static void assertRefused(Type type, String... parts) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CODEC.check(type))
                .withMessageContaining("onefold-jackson")
                .withMessageContainingAll(parts);
    }

    @Test
    void what_could_not_be_read_back_is_not_written() {
        assertThatIllegalArgumentException().isThrownBy(() -> CODEC.encode("\uD800", String.class));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CODEC.encode(BigInteger.TEN.pow(1_000), BigInteger.class));
        assertThatIllegalArgumentException().isThrownBy(() -> CODEC.encode("text", Integer.class));
        assertThatIllegalArgumentException().isThrownBy(() -> CODEC.encode("text", Void.class));
        Recursive deep = new Recursive("", List.of());
        for (int i = 0; i < 200; i++) {
            deep = new Recursive("", List.of(deep));
        }
        Recursive tooDeep = deep;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CODEC.encode(tooDeep, Recursive.class))
                .withMessageContaining("deeper");
    }
}
