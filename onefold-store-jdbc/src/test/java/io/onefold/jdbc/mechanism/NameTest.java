package io.onefold.jdbc.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameTest {
    @ParameterizedTest
    @ValueSource(strings = {"orders", "_o", "Orders2", "shop.orders"})
    void letters_digits_and_underscores_are_a_name(String name) {
        assertThat(SqlName.table(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a;b",
                "a\"b",
                "a`b",
                "a'b",
                "a--b",
                "2a",
                ".a",
                "a.",
                "a..b",
                "a.b.c",
                "订单",
                "a\n",
                "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg"
            })
    void anything_else_is_refused(String name) {
        assertThatThrownBy(() -> SqlName.table(name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UniqueKeyInsert.of(name, "c")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SerialNumberLookup.of("t", "c", name)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ColumnValues.of(name, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "t.c"})
    void a_column_has_no_schema(String name) {
        assertThatThrownBy(() -> SqlName.column(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A"})
    void a_column_is_set_once(String name) {
        ColumnValues columns = ColumnValues.of("a", 1);
        assertThatThrownBy(() -> columns.and(name, 2)).isInstanceOf(IllegalArgumentException.class);
    }
}
