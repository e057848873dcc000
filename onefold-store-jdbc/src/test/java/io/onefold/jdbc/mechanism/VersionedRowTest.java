package io.onefold.jdbc.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.jdbc.mechanism.InsertResult.Inserted;
import io.onefold.jdbc.mechanism.VersionUpdateResult.Stale;
import io.onefold.jdbc.mechanism.VersionUpdateResult.Updated;
import io.onefold.jdbc.mechanism.VersionUpdateResult.VersionedRowMissing;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The price and the stock of products, and the balance of an account. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class VersionedRowTest extends MechanismTest {
    private static final VersionedRow PRODUCT = VersionedRow.of("products", "id", "version");

    VersionedRowTest(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void tables() throws SQLException {
        create(
                "create table products (id int primary key, name varchar(20), price int, stock int, version bigint)",
                "insert into products values (1, '小米手机', 1000, 10, 10)",
                "insert into products values (2, '苹果手机', 2500, 10, 21)",
                "insert into products values (3, '华为手机', 1600, 10, null)");
    }

    @Test
    void an_update_at_the_version_that_was_read_counts_it_up() throws SQLException {
        assertThat(raise(1, 10)).isEqualTo(new Updated(11));
        assertThat(query("select price, version from products where id < 3 order by id"))
                .isEqualTo("1050 11 2500 21");
    }

    @Test
    void the_same_update_again_changes_nothing_and_is_told_the_version() throws SQLException {
        raise(1, 10);

        assertThat(raise(1, 10)).isEqualTo(new Stale(11));
        assertThat(query("select price, version from products where id = 1")).isEqualTo("1050 11");
    }

    @Test
    void a_version_that_is_not_there_yet_is_stale_too() throws SQLException {
        assertThat(raise(1, 12)).isEqualTo(new Stale(10));
    }

    @Test
    void a_row_that_does_not_exist_is_missing() throws SQLException {
        assertThat(raise(4, 1)).isEqualTo(new VersionedRowMissing());
    }

    @Test
    void values_are_set_or_added_and_the_version_alone_may_be_counted_up() throws SQLException {
        inTransaction(connection -> PRODUCT.update(
                connection,
                1,
                10,
                ColumnValues.of("name", null).plus("stock", -3).and("price", 7)));
        inTransaction(connection -> PRODUCT.update(connection, 1, 11, ColumnValues.none()));

        assertThat(query("select name, price, stock, version from products where id = 1"))
                .isEqualTo("null 7 7 12");
    }

    @Test
    void a_row_without_a_version_is_an_error() {
        assertThatThrownBy(() -> raise(3, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("version");
    }

    @Test
    void the_id_and_the_version_are_not_the_callers_to_set() {
        for (String column : List.of("id", "Version")) {
            assertThatThrownBy(() ->
                            inTransaction(connection -> PRODUCT.update(connection, 1, 10, ColumnValues.of(column, 5))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(column.toLowerCase(Locale.ROOT));
        }
    }

    @Isolations
    void of_many_at_once_who_read_the_same_version_one_updates(int isolation) throws Exception {
        List<VersionUpdateResult> outcomes = race(i -> inTransaction(
                isolation,
                connection ->
                        PRODUCT.update(connection, 1, 10, ColumnValues.none().plus("price", 50))));

        assertOneEffect(outcomes, Updated.class, Stale.class);
        assertThat(outcomes).containsOnly(new Updated(11), new Stale(11));
        assertThat(query("select price, version from products where id = 1")).isEqualTo("1050 11");
    }

    @Isolations
    void stock_is_not_oversold(int isolation) throws Exception {
        List<Boolean> sold = race(i -> sellOne(isolation));

        assertThat(sold.stream().filter(one -> one)).hasSize(10);
        assertThat(query("select stock, version from products where id = 1")).isEqualTo("0 20");
    }

    @Test
    void a_repetition_cannot_be_told_from_another_change_but_with_its_number_it_takes_effect_once() throws Exception {
        create("create table flows (flow_no varchar(20) primary key, product_id int)");
        UniqueKeyInsert flow = UniqueKeyInsert.of("flows", "flow_no");

        race(i -> inTransaction(connection -> {
            ColumnValues row = ColumnValues.of("flow_no", "FLOW-1").and("product_id", 1);
            if (flow.insert(connection, row, found -> found.getString(1)) instanceof Inserted) {
                long read = Long.parseLong(query(connection, "select version from products where id = 1"));
                VersionUpdateResult update =
                        PRODUCT.update(connection, 1, read, ColumnValues.none().plus("price", 5));
                assertThat(update).isInstanceOf(Updated.class);
            }
            return i;
        }));

        assertThat(query("select price, version from products where id = 1")).isEqualTo("1005 11");
    }

    private VersionUpdateResult raise(int id, long version) throws SQLException {
        return inTransaction(connection ->
                PRODUCT.update(connection, id, version, ColumnValues.none().plus("price", 50)));
    }

    /** Reads and updates until nobody was faster, in a transaction each time, as repeatable reads would stay the same. */
    private boolean sellOne(int isolation) throws SQLException {
        while (true) {
            VersionUpdateResult update = inTransaction(isolation, (Connection connection) -> {
                String[] row = query(connection, "select stock, version from products where id = 1")
                        .split(" ", 2);
                int stock = Integer.parseInt(row[0]);
                return stock == 0
                        ? new VersionedRowMissing()
                        : PRODUCT.update(connection, 1, Long.parseLong(row[1]), ColumnValues.of("stock", stock - 1));
            });
            if (!(update instanceof Stale)) {
                return update instanceof Updated;
            }
        }
    }
}
