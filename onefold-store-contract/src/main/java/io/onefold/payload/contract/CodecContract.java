package io.onefold.payload.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onefold.payload.Codec;
import io.onefold.payload.ResultSerializer;
import io.onefold.payload.contract.ResultRow.ExpectedOutcome;
import io.onefold.store.ResultPayload;
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
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tests of a codec: the values that every codec carries, whatever it is built with, and the rows of values that it
 * may lose. Each row is replayed alike, is rejected when the operation is declared, or is not kept; nothing else.
 */
public abstract class CodecContract {

    public record Money(BigDecimal amount, Currency currency) {}

    public record PagedItems<T>(List<T> items, @Nullable T first, Optional<T> last) {}

    public record BeforeUpgrade(@Nullable String id, int count) {}

    public record AfterUpgrade(
            @Nullable String id,
            int count,
            @Nullable String note,
            long total,
            @Nullable List<String> more) {}

    public record PickyConstructor(int positive) {
        public PickyConstructor {
            if (positive <= 0) {
                throw new IllegalStateException("must be positive");
            }
        }
    }

    interface TypeCases {
        PagedItems<Money> page();

        Map<DayOfWeek, List<Integer>> byDay();

        Map<UUID, String> byId();

        Map<Long, PagedItems<String>> byNumber();

        Set<String> set();

        List<Optional<Integer>> optionals();
    }

    protected abstract Codec codec();

    /**
     * Returns true if each row must have its expected outcome, because the codec maps classes and reads Jackson's
     * annotations.
     */
    protected boolean mapsClasses() {
        return false;
    }

    /** Returns the results that a codec may lose, each with its expected outcome. */
    public static List<ResultRow> rows() {
        return Stream.of(AccessRows.rows(), SubtypeRows.rows(), ShapeRows.rows(), ValueRows.rows())
                .flatMap(List::stream)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void a_row_replays_alike_or_is_refused_or_is_not_kept(ResultRow row) {
        ExpectedOutcome fate = fate(row, codec());
        if (mapsClasses()) {
            assertThat(fate).as("%s", row).isEqualTo(row.fate());
        }
    }

    /** Returns the outcome of the result with this codec. Fails if it is none of the three. */
    protected static ExpectedOutcome fate(ResultRow row, Codec codec) {
        ResultSerializer results = ResultSerializer.with(codec);
        byte[] context = {1};
        try {
            results.check(row.type());
        } catch (IllegalArgumentException e) {
            return ExpectedOutcome.REFUSED;
        }
        ResultPayload payload = results.value(row.value(), row.type(), 100_000, context);
        if (payload.kind() == ResultPayload.Kind.NOT_KEPT) {
            return ExpectedOutcome.NOT_KEPT;
        }
        Object replayed = results.read(payload, row.type(), context);
        assertThat(ObjectSnapshot.of(replayed))
                .as("what is replayed of %s", row)
                .isEqualTo(ObjectSnapshot.of(row.value()));
        return ExpectedOutcome.ALIKE;
    }

    private static Type type(String name) {
        try {
            return TypeCases.class.getDeclaredMethod(name).getGenericReturnType();
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    protected final @Nullable Object roundTrip(@Nullable Object value, Type type) {
        codec().check(type);
        return codec().decode(codec().encode(value, type), type, codec().version());
    }

    protected final @Nullable Object decode(String json, Type type) {
        return codec().decode(json.getBytes(UTF_8), type, codec().version());
    }

    static List<Object> values() {
        ZonedDateTime overlap = ZonedDateTime.of(2024, 10, 27, 2, 30, 0, 1, ZoneId.of("Europe/Paris"));
        return List.of(
                true,
                'x',
                '"',
                Byte.MIN_VALUE,
                Short.MAX_VALUE,
                0,
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
                new BigDecimal("0.10000000000000000001"),
                new BigInteger("-123456789012345678901234567890"),
                DayOfWeek.MONDAY,
                new UUID(1, 2),
                URI.create("https://example.org/a?b=c#d"),
                Currency.getInstance("EUR"),
                Locale.GERMANY,
                Instant.ofEpochSecond(1, 1),
                LocalDate.EPOCH,
                LocalTime.MIDNIGHT,
                LocalDateTime.of(2024, 2, 29, 1, 2, 3, 4),
                OffsetDateTime.of(2024, 2, 29, 1, 2, 3, 4, ZoneOffset.ofHours(5)),
                Duration.ofNanos(-1),
                Duration.ofDays(400),
                Period.of(1, -2, 3),
                Year.of(2024),
                YearMonth.of(2024, 2),
                MonthDay.of(2, 29),
                ZoneOffset.ofHours(2),
                overlap.withLaterOffsetAtOverlap());
    }

    @ParameterizedTest
    @MethodSource("values")
    void a_value_comes_back_as_it_was(Object value) {
        assertThat(roundTrip(value, value.getClass())).isEqualTo(value).hasSameClassAs(value);
    }

    @Test
    void a_number_keeps_its_scale() {
        Money money = new Money(new BigDecimal("1.50"), Currency.getInstance("EUR"));
        assertThat(roundTrip(money, Money.class)).isEqualTo(money).hasToString("Money[amount=1.50, currency=EUR]");
    }

    @Test
    void primitives_bytes_zones_and_nothing_come_back() {
        assertThat(roundTrip(7, int.class)).isEqualTo(7);
        assertThat(roundTrip('c', char.class)).isEqualTo('c');
        assertThat((byte[]) roundTrip(new byte[] {0, -1}, byte[].class)).containsExactly(0, -1);
        assertThat(roundTrip(ZoneId.of("Europe/Paris"), ZoneId.class)).isEqualTo(ZoneId.of("Europe/Paris"));
        assertThat(roundTrip(null, Void.class)).isNull();
        assertThat(roundTrip(null, String.class)).isNull();
        assertThat(roundTrip(null, Money.class)).isNull();
    }

    @Test
    void generic_records_come_back() {
        Money money = new Money(new BigDecimal("0.10"), Currency.getInstance("JPY"));
        for (PagedItems<Money> page : List.of(
                new PagedItems<>(List.of(money, money), money, Optional.of(money)),
                new PagedItems<Money>(List.of(), null, Optional.empty()))) {
            assertThat(roundTrip(page, type("page"))).isEqualTo(page);
        }
    }

    @Test
    void containers_keep_order_nulls_and_types() {
        Map<DayOfWeek, @Nullable List<@Nullable Integer>> byDay = new LinkedHashMap<>();
        byDay.put(DayOfWeek.SUNDAY, Arrays.asList(3, null, 1));
        byDay.put(DayOfWeek.MONDAY, null);
        byDay.put(DayOfWeek.FRIDAY, List.of());
        assertThat(roundTrip(byDay, type("byDay"))).isEqualTo(byDay);
        Map<UUID, String> byId = Map.of(new UUID(9, 9), "", new UUID(1, 1), "b");
        assertThat(roundTrip(byId, type("byId"))).isEqualTo(byId);
        Map<Long, PagedItems<String>> byNumber = Map.of(-5L, new PagedItems<>(List.of("x"), null, Optional.of("y")));
        assertThat(roundTrip(byNumber, type("byNumber"))).isEqualTo(byNumber);
        assertThat(roundTrip(new LinkedHashSet<>(List.of("b", "a")), type("set")))
                .isEqualTo(Set.of("a", "b"));
        assertThat(roundTrip(List.of(Optional.of(1), Optional.empty()), type("optionals")))
                .isEqualTo(List.of(Optional.of(1), Optional.empty()));
        assertThat((Object[]) roundTrip(new String[] {"b", null}, String[].class))
                .containsExactly("b", null);
        assertThat((int[][]) roundTrip(new int[][] {{1}, {}}, int[][].class)).isDeepEqualTo(new int[][] {{1}, {}});
    }

    @Test
    void releases_read_each_other() {
        byte[] before = codec().encode(new BeforeUpgrade("a", 1), BeforeUpgrade.class);
        assertThat(codec().decode(before, AfterUpgrade.class, codec().version()))
                .isEqualTo(new AfterUpgrade("a", 1, null, 0, null));
        byte[] after = codec().encode(new AfterUpgrade("a", 1, "n", 2, List.of()), AfterUpgrade.class);
        assertThat(codec().decode(after, BeforeUpgrade.class, codec().version()))
                .isEqualTo(new BeforeUpgrade("a", 1));
        assertThat(decode("{}", BeforeUpgrade.class)).isEqualTo(new BeforeUpgrade(null, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"x\"", "[]", "1", "{\"count\":\"1\"}", "{\"count\":1.5}", "{\"count\":2147483648}",
                        "{\"count\":true}",
                "{\"id\":1}", "{\"id\":{}}", "{\"id\":[\"a\"]}", "{", "", "{} {}", "{\"id\":\"a\",\"id\":\"secret\"}"
            })
    void what_does_not_fit_the_declared_type_is_refused(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> decode(json, BeforeUpgrade.class));
    }

    @Test
    void an_error_tells_nothing_of_the_content() {
        for (String json :
                List.of("{\"count\":\"secret\"}", "{\"count\":1,\"id\":secret}", "{\"id\":{\"secret\":1}}")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> decode(json, BeforeUpgrade.class))
                    .withMessageNotContaining("secret")
                    .withNoCause();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode("\"secret\"", Instant.class))
                .withNoCause();
    }

    @Test
    void a_constructor_that_refuses_is_the_cause() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode("{\"positive\":0}", PickyConstructor.class))
                .withMessageContaining("PickyConstructor")
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void class_names_in_the_data_mean_nothing() {
        assertThat(decode("{\"@class\":\"javax.naming.InitialContext\",\"id\":\"x\"}", BeforeUpgrade.class))
                .isEqualTo(new BeforeUpgrade("x", 0));
    }
}
