package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.junit.jupiter.params.provider.ValueSource;

class JsonCodecTest {

    private static final JsonCodec CODEC = new JsonCodec();

    record Page<T>(
            List<T> items, @Nullable T first, @Nullable Page<T> next) {}

    record Money(BigDecimal amount, Currency currency) {}

    @SuppressWarnings("ArrayRecordComponent")
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

    record Picky(int positive) {
        Picky {
            if (positive <= 0) {
                throw new IllegalStateException("must be positive");
            }
        }
    }

    sealed interface Animal permits Dog {}

    record Dog(String name) implements Animal {}

    record Before(@Nullable String id, int count) {}

    record After(
            String id,
            int count,
            @Nullable String note,
            long total,
            Optional<String> tag,
            @Nullable List<String> more) {}

    @SuppressWarnings("NonApiType")
    interface Types {
        Rich<Money, List<String>> rich();

        Page<Money>[] pages();

        Map<UUID, List<Integer>> byId();

        Map<BigInteger, String> byBig();

        Collection<String> collection();

        LinkedHashSet<Integer> ordered();

        Page<Object> objects();

        List<? extends Number> wildcard();

        Map<List<String>, String> badKey();

        Map<BigDecimal, String> decimalKey();

        TreeMap<String, String> tree();

        Optional<Optional<String>> twice();

        Endless<String> endless();
    }

    private static Type type(String name) {
        try {
            return Types.class.getDeclaredMethod(name).getGenericReturnType();
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Object roundTrip(@Nullable Object value, Type type) {
        return CODEC.decode(CODEC.encode(value, type), type, 1);
    }

    private static @Nullable Object decode(String json, Type type) {
        return CODEC.decode(json.getBytes(UTF_8), type, 1);
    }

    static List<Object> scalars() {
        return List.of(
                true,
                'x',
                '"',
                Byte.MIN_VALUE,
                Short.MAX_VALUE,
                Integer.MIN_VALUE,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                0.1f,
                -0f,
                Float.NaN,
                Float.MIN_VALUE,
                Double.MAX_VALUE,
                -0d,
                Double.NaN,
                Double.NEGATIVE_INFINITY,
                Double.POSITIVE_INFINITY,
                "",
                "a\"\\\u0000\n\u001f\u2028é\uD83D\uDE00",
                new BigDecimal("1.50"),
                new BigDecimal("1E+3"),
                new BigDecimal("0E-10"),
                new BigDecimal("1E+1000000000"),
                new BigInteger("-123456789012345678901234567890"),
                DayOfWeek.MONDAY,
                new UUID(1, 2),
                URI.create("https://example.org/a?b=c#d"),
                Currency.getInstance("EUR"),
                Locale.GERMANY,
                Locale.ROOT,
                Instant.MAX,
                Instant.MIN,
                Instant.ofEpochSecond(1, 1),
                LocalDate.MAX,
                LocalDate.MIN,
                LocalTime.MIDNIGHT,
                LocalDateTime.MIN,
                OffsetDateTime.MAX,
                OffsetTime.MAX,
                Duration.ofNanos(-1),
                Duration.ofSeconds(Long.MIN_VALUE),
                Period.of(1, -2, 3),
                Year.of(-5),
                Year.of(10_000),
                YearMonth.of(12_345, 6),
                YearMonth.of(-1, 12),
                MonthDay.of(2, 29),
                ZoneOffset.ofHours(2),
                ZonedDateTime.of(2024, 10, 27, 2, 30, 0, 1, ZoneId.of("Europe/Paris"))
                        .withLaterOffsetAtOverlap());
    }

    @ParameterizedTest
    @MethodSource("scalars")
    void a_scalar_comes_back_as_it_was(Object value) {
        assertThat(roundTrip(value, value.getClass())).isEqualTo(value).hasSameClassAs(value);
    }

    @Test
    void a_number_keeps_its_scale() {
        assertThat(roundTrip(new BigDecimal("1.50"), BigDecimal.class)).hasToString("1.50");
    }

    @Test
    void primitives_bytes_zones_and_nothing_come_back() {
        assertThat(roundTrip(7, int.class)).isEqualTo(7);
        assertThat(roundTrip('c', char.class)).isEqualTo('c');
        assertThat((byte[]) roundTrip(new byte[] {0, -1}, byte[].class)).containsExactly(0, -1);
        assertThat(roundTrip(ZoneId.of("Europe/Paris"), ZoneId.class)).isEqualTo(ZoneId.of("Europe/Paris"));
        assertThat(roundTrip(null, void.class)).isNull();
        assertThat(roundTrip(null, Void.class)).isNull();
        assertThat(roundTrip(null, String.class)).isNull();
    }

    @Test
    void containers_keep_order_nulls_and_types() {
        Map<UUID, List<Integer>> byId = new LinkedHashMap<>();
        byId.put(new UUID(9, 9), Arrays.asList(3, null, 1));
        byId.put(new UUID(1, 1), null);
        assertThat(roundTrip(byId, type("byId")))
                .isEqualTo(byId)
                .extracting(Object::toString)
                .isEqualTo(byId.toString());
        assertThat((Object[]) roundTrip(new String[] {"b", null}, String[].class))
                .containsExactly("b", null);
        assertThat((int[][]) roundTrip(new int[][] {{1}, {}}, int[][].class)).isDeepEqualTo(new int[][] {{1}, {}});
        assertThat(roundTrip(new LinkedHashSet<>(List.of(3, 1, 2)), type("ordered")))
                .hasToString("[3, 1, 2]");
        assertThat(roundTrip(List.of("a"), type("collection"))).isEqualTo(List.of("a"));
        assertThat(roundTrip(Map.of(BigInteger.TEN, "x"), type("byBig"))).isEqualTo(Map.of(BigInteger.TEN, "x"));
        Page<Money> page =
                new Page<>(List.of(new Money(new BigDecimal("0.10"), Currency.getInstance("EUR"))), null, null);
        assertThat((Object[]) roundTrip(new Page<?>[] {page}, type("pages"))).containsExactly(page);
    }

    @Test
    void a_recursive_record_comes_back() {
        Recursive tree = new Recursive("a", List.of(new Recursive("b", List.of()), new Recursive("c", List.of())));
        assertThat(roundTrip(tree, Recursive.class)).isEqualTo(tree);
    }

    @Test
    void random_values_of_a_rich_generic_record_come_back() {
        Seeded.rounds(20_000, random -> {
            Rich<Money, List<String>> rich = rich(random);
            assertThat(roundTrip(rich, type("rich"))).isEqualTo(rich);
        });
    }

    private static Rich<Money, List<String>> rich(SplittableRandom random) {
        Map<String, @Nullable List<String>> byName = new LinkedHashMap<>();
        Map<Long, Page<List<String>>> byNumber = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            byName.put(Seeded.text(random), maybe(random, texts(random)));
            byNumber.put(random.nextLong(), new Page<>(List.of(texts(random)), maybe(random, texts(random)), null));
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
    void releases_read_each_other() {
        byte[] before = CODEC.encode(new Before("a", 1), Before.class);
        assertThat(CODEC.decode(before, After.class, 1)).isEqualTo(new After("a", 1, null, 0, Optional.empty(), null));
        byte[] after = CODEC.encode(new After("a", 1, "n", 2, Optional.of("t"), List.of()), After.class);
        assertThat(CODEC.decode(after, Before.class, 1)).isEqualTo(new Before("a", 1));
        assertThat(decode("{}", Before.class)).isEqualTo(new Before(null, 0));
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
        assertThatIllegalArgumentException().isThrownBy(() -> decode("2147483648", int.class));
        assertThatIllegalArgumentException().isThrownBy(() -> decode("1e400", double.class));
        assertThatIllegalArgumentException().isThrownBy(() -> decode("1e40", float.class));
        assertThatIllegalArgumentException().isThrownBy(() -> decode("1e1000000000", BigInteger.class));
        assertThatIllegalArgumentException().isThrownBy(() -> decode("1e3000000000", BigDecimal.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"x\"",
                "null",
                "[]",
                "{\"count\":\"1\"}",
                "{\"count\":null}",
                "{\"id\":1}",
                "{\"id\":{}}",
                "{",
                ""
            })
    void what_does_not_fit_the_declared_type_is_refused(String json) {
        assertThatThrownBy(() -> {
                    if (decode(json, Before.class) == null) {
                        throw new IllegalArgumentException("null");
                    }
                })
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void an_error_names_the_path_but_not_the_content() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> decode("{\"rich\":1,\"byNumber\":{\"1\":{\"items\":[[\"secret\",5]]}}}", type("rich")))
                .withMessage("expected a string, found a number (at byNumber.*.items[][])");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode("{\"at\":\"secret\"}", type("rich")))
                .withMessage("not a java.time.Instant (at at)")
                .withNoCause();
    }

    @Test
    void a_constructor_that_refuses_is_the_cause() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode("{\"positive\":0}", Picky.class))
                .withMessageContaining("Picky")
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void class_names_in_the_data_mean_nothing() {
        assertThat(decode("{\"@class\":\"javax.naming.InitialContext\",\"name\":\"x\"}", Dog.class))
                .isEqualTo(new Dog("x"));
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
        CODEC.check(type("rich"));
        CODEC.check(type("rich"));
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
