package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.expression.spel.SpelCompilerMode;

/** Expressions over arguments, which only read. */
class ExpressionsTest {
    record Item(String sku, int count) {}

    static class Basket {
        private String owner = "eve";
        private int emptied;

        public String getOwner() {
            return owner;
        }

        public void setOwner(String owner) {
            this.owner = owner;
        }

        public boolean isOpen() {
            return emptied == 0;
        }

        public String empty() {
            emptied++;
            return owner;
        }
    }

    static class Methods {
        void run(
                Basket basket,
                List<String> list,
                Map<String, String> map,
                Item item,
                String id,
                StringBuilder builder,
                Optional<String> perhaps,
                BigDecimal amount,
                LocalDate day,
                TimeUnit unit,
                AtomicInteger counter,
                Size size) {}
    }

    private static final Method METHOD = Methods.class.getDeclaredMethods()[0];

    private final Basket basket = new Basket();
    private final List<String> list = new ArrayList<>(List.of("a", "b"));
    private final AtomicInteger counter = new AtomicInteger();
    private final StringBuilder builder = new StringBuilder("k");

    private @Nullable Object value(String text) {
        return KeyExpressions.of("key", text, METHOD).value(new Object[] {
            basket,
            list,
            Map.of("size", "9"),
            new Item("s", 2),
            "Id-1",
            builder,
            Optional.of("there"),
            new BigDecimal("1.50"),
            LocalDate.of(2024, 2, 29),
            TimeUnit.DAYS,
            counter,
            Size.LARGE
        });
    }

    /** Two that call themselves the same. */
    enum Size {
        SMALL,
        LARGE;

        @Override
        public String toString() {
            return "any size";
        }
    }

    @Test
    void an_enum_counts_by_its_name_whatever_it_calls_itself() {
        KeyExpressions expression = KeyExpressions.of("key", "#size", METHOD);
        Object[] arguments = new Object[METHOD.getParameterCount()];
        arguments[arguments.length - 1] = Size.SMALL;
        assertThat(expression.text(arguments)).isEqualTo("SMALL");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "#basket.owner | eve",
                "#basket.getOwner() | eve",
                "#basket.isOpen() | true",
                "#basket.owner.toUpperCase() | EVE",
                "#item.sku | s",
                "#item.sku() | s",
                "#item.count + 1 | 3",
                "#list[1] | b",
                "#list.size() | 2",
                "#list.get(0) | a",
                "#list.contains('b') | true",
                "#list.isEmpty() | false",
                "#map['size'] | 9",
                "#map.get('size') | 9",
                "#id.substring(0, 2).concat('!') | Id!",
                "#id.hashCode() == 'Id-1'.hashCode() | true",
                "#builder.toString() | k",
                "#perhaps.get() | there",
                "#perhaps.orElse('none') | there",
                "#amount.stripTrailingZeros().toPlainString() | 1.5",
                "#day.plusDays(1).toString() | 2024-03-01",
                "#unit.name() | DAYS",
                "'cart#item-' + #id | cart#item-Id-1",
                "#list.![#this + #id] | [aId-1, bId-1]",
                "#id?.length() | 4",
            })
    void what_reads_is_allowed(String expression, String expected) {
        assertThat(value(expression)).hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#basket.empty()",
                "#basket.setOwner('mallory')",
                "#builder.append('!').toString()",
                "#list.remove(0)",
                "#list.clear()",
                "#list.add('c')",
                "#list.iterator().next()",
                "#map.put('size', '1')",
                "#basket.getClass().getName()",
                "#basket.class.name",
                "#unit.sleep(1)",
                "#counter.getAndIncrement()",
                "#basket.notifyAll()",
            })
    void what_changes_or_reaches_further_fails_and_changes_nothing(String expression) {
        assertThatThrownBy(() -> value(expression)).isInstanceOf(KeyExpressionException.class);
        assertThat(basket.getOwner()).isEqualTo("eve");
        assertThat(basket.isOpen()).isTrue();
        assertThat(list).containsExactly("a", "b");
        assertThat(builder).hasToString("k");
        assertThat(counter).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "T(java.lang.Runtime).getRuntime()",
                "new java.lang.StringBuilder('x')",
                "new int[]{1}",
                "@someBean.name",
                "&someFactory",
                "#id = 'other'",
                "#basket.owner = 'mallory'",
                "#list[0] = 'x'",
                "#item.count++",
                "--#item.count",
                "#id(1)",
                "#list.?[T(java.lang.System).exit(1)]",
            })
    void what_could_do_more_than_read_is_refused_at_the_start(String expression) {
        assertThatThrownBy(() -> KeyExpressions.of("key", expression, METHOD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expressions only read arguments");
    }

    @Test
    void a_name_in_a_part_of_it_must_be_an_argument_too() {
        assertThatThrownBy(() -> KeyExpressions.of("key", "#list.![#this + #ident]", METHOD))
                .hasMessageContaining("names #ident, which is no argument");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "#item.idd | idd | ExpressionsTest$Item",
                "#item?.idd | idd | ExpressionsTest$Item",
                "#id + #p3.idd.length() | idd | ExpressionsTest$Item",
                "#basket.ownr.toUpperCase() | ownr | ExpressionsTest$Basket",
            })
    void a_property_that_the_type_does_not_have_is_refused_at_the_start(String text, String name, String type) {
        assertThatThrownBy(() -> KeyExpressions.of("key", text, METHOD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text)
                .hasMessageContaining("\"" + name + "\"")
                .hasMessageContaining(type);
    }

    /** Compiled, it would be a class that nobody keeps from doing more than reading. */
    @Test
    void it_is_never_compiled_whatever_the_application_says() {
        assertThat(KeyExpressions.CONFIGURATION.getCompilerMode()).isEqualTo(SpelCompilerMode.OFF);
    }
}
