package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.payload.Codec;
import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application that changes its Spring Boot, and its Jackson with it, knows what it has kept. */
class GenerationsTest {
    private static final Codec TWO = io.onefold.jackson2.Jackson2Codec.standard();
    private static final Codec THREE = io.onefold.jackson.JacksonCodec.standard();

    enum Size {
        SMALL,
        LARGE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    record Item(String zebra, int apple, @Nullable String nothing, List<Size> sizes, Map<Size, BigDecimal> prices) {}

    record Speech(Map<Locale, Locale> spoken) {}

    /** With accessors, in no order of the alphabet. */
    static class Bean {
        private String zulu = "z";
        private boolean ready = true;
        private @Nullable Bean inner;

        public String getZulu() {
            return zulu;
        }

        public void setZulu(String zulu) {
            this.zulu = zulu;
        }

        public boolean isReady() {
            return ready;
        }

        public void setReady(boolean ready) {
            this.ready = ready;
        }

        public @Nullable Bean getInner() {
            return inner;
        }

        public void setInner(@Nullable Bean inner) {
            this.inner = inner;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bean bean && bean.zulu.equals(zulu) && bean.ready == ready;
        }

        @Override
        public int hashCode() {
            return zulu.hashCode();
        }
    }

    @SuppressWarnings("JavaUtilDate") // results may have them
    static Stream<Object> values() {
        Map<String, Object> mixed = new LinkedHashMap<>();
        mixed.put("b", 1);
        mixed.put("a", "x");
        ZonedDateTime berlin = ZonedDateTime.of(2026, 3, 4, 5, 6, 7, 890_000_000, ZoneId.of("Europe/Berlin"));
        return Stream.of(
                "text \u00e9 \ud83d\ude00 </script> \u2028",
                42,
                Long.MAX_VALUE,
                true,
                'c',
                0.1,
                1e300,
                3.4f,
                new BigDecimal("1.10"),
                new BigDecimal("1E+3"),
                new BigInteger("123456789012345678901234567890"),
                Size.LARGE,
                UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057"),
                URI.create("https://example.org/a?b"),
                Locale.SIMPLIFIED_CHINESE,
                Currency.getInstance("EUR"),
                TimeZone.getTimeZone("Asia/Shanghai"),
                new byte[] {1, 2, -3},
                Instant.ofEpochSecond(1_700_000_000, 123_456_789),
                Instant.ofEpochSecond(1_700_000_000),
                LocalDate.of(2026, 1, 2),
                LocalTime.of(3, 4),
                LocalDateTime.of(2026, 1, 2, 3, 4, 5),
                OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 6000, ZoneOffset.ofHours(8)),
                OffsetTime.of(3, 4, 5, 0, ZoneOffset.UTC),
                berlin,
                Duration.ofMillis(90_061_001),
                Period.of(1, 2, 3),
                Year.of(2026),
                YearMonth.of(2026, 2),
                MonthDay.of(2, 29),
                Month.MAY,
                DayOfWeek.FRIDAY,
                ZoneOffset.ofHours(2),
                new Date(1_700_000_000_123L),
                GregorianCalendar.from(berlin),
                Optional.of("x"),
                OptionalInt.of(3),
                new int[] {3, 1, 2},
                new Item("z", 1, null, List.of(Size.SMALL), Map.of(Size.LARGE, new BigDecimal("9.90"))),
                new Bean(),
                List.of("b", "a"),
                Set.of("one"),
                new Speech(Map.of(Locale.TRADITIONAL_CHINESE, Locale.forLanguageTag("sr-Latn-RS"))),
                mixed);
    }

    @ParameterizedTest
    @MethodSource("values")
    void either_jackson_writes_what_the_other_does_and_reads_it(Object value) {
        Class<?> type = declared(value);
        byte[] two = TWO.encode(value, type);
        byte[] three = THREE.encode(value, type);
        assertThat(canonical(three)).as("%s", text(three)).isEqualTo(canonical(two));
        if (!(value instanceof Calendar)) { // which is told in UTC by both, and is another one then
            assertThat(THREE.decode(two, type, TWO.version())).isEqualTo(value);
            assertThat(TWO.decode(three, type, THREE.version())).isEqualTo(value);
        }
    }

    private static Class<?> declared(Object value) {
        return Stream.<Class<?>>of(List.class, Set.class, TimeZone.class)
                .filter(type -> type.isInstance(value))
                .findFirst()
                .orElse(value.getClass());
    }

    private static Fingerprint canonical(byte[] json) {
        return Fingerprinter.standard().json(json);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void what_was_kept_before_a_change_of_jackson_is_told_again_after_it() {
        Operation<Item> operation = Operation.of("order", Item.class);
        Item item = new Item("z", 1, null, List.of(Size.SMALL), Map.of());
        for (boolean forth : new boolean[] {true, false}) {
            MemoryStore store = new MemoryStore();
            on(store, forth ? "tools.jackson" : "com.fasterxml.jackson.databind", onefold -> {
                assertThat(onefold.attempt(operation, Key.of("k"), attempt -> item))
                        .isInstanceOf(Outcome.Executed.class);
            });
            on(store, forth ? "com.fasterxml.jackson.databind" : "tools.jackson", onefold -> {
                assertThat(onefold.attempt(operation, Key.of("k"), attempt -> fail("once is enough")))
                        .isEqualTo(new Outcome.Replayed<>(item, true));
            });
        }
    }

    private static void on(Store store, String without, Consumer<Onefold> then) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OnefoldAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(without))
                .withBean(Store.class, () -> store)
                .run(context -> then.accept(context.getBean(Onefold.class)));
    }
}
