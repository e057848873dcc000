package io.onefold.jdbc.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.TimeOrderedIds;
import io.onefold.jdbc.mechanism.InsertResult.Existing;
import io.onefold.jdbc.mechanism.InsertResult.Inserted;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Creating an order once under the number that the shop gave it. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class UniqueKeyTest extends MechanismTest {
    private static final UniqueKeyInsert ORDER_NO = UniqueKeyInsert.of("orders", "order_no");
    private static final String NO = "ORDER-20260105-001";

    UniqueKeyTest(TestDatabase database) {
        super(database);
    }

    private record Order(String id, String number, long cents) {
        static Order of(ResultSet row) throws SQLException {
            return new Order(row.getString("id"), row.getString("order_no"), row.getLong("cents"));
        }
    }

    @BeforeEach
    void tables() throws SQLException {
        create(
                "create table orders (id varchar(36) primary key, order_no varchar(64) not null unique,"
                        + " cents bigint not null, coupon varchar(20) unique)",
                "create table charges (id varchar(36) primary key, cents bigint not null)",
                "create table other (id int primary key)");
    }

    @Test
    void the_first_is_inserted_and_a_repetition_gets_the_same_row() throws SQLException {
        InsertResult<Order> first = inTransaction(connection -> order(connection, NO, 500));
        InsertResult<Order> second = inTransaction(connection -> order(connection, NO, 500));

        assertThat(first).isInstanceOf(Inserted.class);
        assertThat(second).isInstanceOf(Existing.class);
        assertThat(second.row()).isEqualTo(first.row());
        assertThat(query("select count(*) from orders")).isEqualTo("1");
    }

    @Test
    void a_repetition_in_the_same_transaction_gets_the_same_row() throws SQLException {
        inTransaction(connection -> {
            Order first = order(connection, NO, 500).row();
            assertThat(order(connection, NO, 500)).isEqualTo(new Existing<>(first));
            return first;
        });
    }

    @Test
    void the_existing_row_tells_that_the_number_was_used_for_something_else() throws SQLException {
        inTransaction(connection -> order(connection, NO, 500));

        assertThat(inTransaction(connection -> order(connection, NO, 999)).row().cents())
                .isEqualTo(500);
    }

    @Test
    void the_transaction_goes_on_after_a_repetition() throws SQLException {
        inTransaction(connection -> order(connection, NO, 500));

        inTransaction(connection -> {
            execute(connection, "insert into charges values ('before', 1)");
            order(connection, NO, 500);
            execute(connection, "insert into charges values ('after', 1)");
            return order(connection, "another", 1);
        });

        assertThat(query("select id from charges order by id")).isEqualTo("after before");
        assertThat(query("select count(*) from orders")).isEqualTo("2");
    }

    @Isolations
    void of_many_at_once_one_is_inserted_and_all_get_its_row(int isolation) throws Exception {
        for (int round = 0; round < 5; round++) {
            String number = NO + "-" + round;
            List<InsertResult<Order>> outcomes = race(i -> inTransaction(isolation, connection -> {
                InsertResult<Order> outcome = order(connection, number, 500);
                if (outcome instanceof Inserted) {
                    execute(connection, "insert into charges values (?, 500)", number);
                }
                return outcome;
            }));

            assertOneEffect(outcomes, Inserted.class, Existing.class);
            assertThat(outcomes.stream().map(InsertResult::row).distinct()).hasSize(1);
        }
        assertThat(query("select count(*) from orders")).isEqualTo("5");
        assertThat(query("select count(*) from charges")).isEqualTo("5");
    }

    @Test
    void those_who_find_the_row_can_all_update_it_without_a_deadlock() throws Exception {
        AtomicInteger repetitions = new AtomicInteger();

        race(i -> inTransaction(connection -> {
            repetitions.incrementAndGet();
            order(connection, NO, 0);
            execute(connection, "update orders set cents = cents + 1 where order_no = ?", NO);
            return i;
        }));

        assertThat(query("select cents from orders")).isEqualTo(Integer.toString(THREADS));
        assertThat(repetitions).hasValue(THREADS);
    }

    @Isolations
    void who_met_an_insert_that_is_rolled_back_inserts(int isolation) throws Exception {
        try (Connection first = begin(isolation)) {
            order(first, NO, 500);
            CompletableFuture<InsertResult<Order>> second =
                    async(() -> inTransaction(isolation, connection -> order(connection, NO, 700)));

            first.rollback();

            assertThat(second.get(60, TimeUnit.SECONDS)).isInstanceOf(Inserted.class);
            assertThat(query("select cents from orders")).isEqualTo("700");
        }
    }

    @Isolations
    void a_row_that_is_newer_than_the_snapshot_is_found_or_the_transaction_is_to_be_repeated(int isolation)
            throws SQLException {
        AtomicInteger tries = new AtomicInteger();

        InsertResult<Order> outcome = inTransaction(isolation, connection -> {
            query(connection, "select count(*) from other");
            if (tries.incrementAndGet() == 1) {
                inTransaction(another -> order(another, NO, 500));
            }
            return order(connection, NO, 700);
        });

        assertThat(outcome).isInstanceOf(Existing.class);
        assertThat(outcome.row().cents()).isEqualTo(500);
        boolean readsTheLatest = database == TestDatabase.MARIADB
                || database == TestDatabase.MYSQL
                || (isolation == Connection.TRANSACTION_READ_COMMITTED && database != TestDatabase.SQLITE);
        if (readsTheLatest) {
            assertThat(tries).hasValue(1);
        }
    }

    @Isolations
    void a_violation_of_another_constraint_is_an_error(int isolation) throws SQLException {
        inTransaction(connection -> insert(connection, "first", "COUPON-7", 1));

        assertThatThrownBy(() -> inTransaction(isolation, connection -> insert(connection, "second", "COUPON-7", 1)))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(asksForRepetition(e)).isFalse())
                .message()
                .containsIgnoringCase("coupon");
        assertThat(query("select order_no, coupon from orders")).isEqualTo("first COUPON-7");
    }

    @Test
    void who_violates_another_constraint_as_well_still_gets_the_row_under_the_key() throws SQLException {
        inTransaction(connection -> insert(connection, "first", "COUPON-7", 1));
        InsertResult<Order> second = inTransaction(connection -> insert(connection, "second", "COUPON-8", 2));

        InsertResult<Order> both = inTransaction(connection -> insert(connection, "second", "COUPON-7", 3));

        assertThat(both).isEqualTo(new Existing<>(second.row()));
        assertThat(query("select coupon, cents from orders order by coupon")).isEqualTo("COUPON-7 1 COUPON-8 2");
    }

    @Test
    void other_errors_are_errors_too() {
        assertThatThrownBy(() -> inTransaction(connection -> ORDER_NO.insert(
                        connection,
                        ColumnValues.of("id", "1").and("order_no", NO).and("cents", null),
                        Order::of)))
                .isInstanceOf(SQLException.class);
    }

    @Test
    void a_key_may_have_several_columns_and_the_row_comes_with_what_the_database_gave_it() throws SQLException {
        create("create table requests (" + database.generatedId()
                + ", user_id bigint not null, request_no varchar(40) not null, state varchar(10) default 'NEW',"
                + " unique (user_id, request_no))");
        UniqueKeyInsert key = UniqueKeyInsert.of("requests", "user_id", "request_no");

        String first = request(key, 1, "a").row();
        assertThat(request(key, 1, "a")).isEqualTo(new Existing<>(first));
        assertThat(request(key, 2, "a")).isInstanceOf(Inserted.class);
        assertThat(request(key, 1, "b")).isInstanceOf(Inserted.class);
        assertThat(first).matches("\\d+ NEW");
    }

    @Test
    void a_column_that_is_not_unique_does_not_pass_for_a_key() {
        UniqueKeyInsert mistaken = UniqueKeyInsert.of("orders", "cents");

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2; i++) {
                        ColumnValues row = ColumnValues.of("id", "id" + i)
                                .and("order_no", "no" + i)
                                .and("cents", 1);
                        inTransaction(connection -> mistaken.insert(connection, row, Order::of));
                    }
                })
                .isInstanceOfAny(SQLException.class, IllegalStateException.class);
    }

    @Test
    void names_may_be_reserved_words_in_any_case_and_have_a_schema() throws SQLException {
        try (Connection connection = source.getConnection()) {
            DatabaseSyntax quoting = DatabaseSyntax.of(connection);
            execute(connection, "drop table if exists " + quoting.quoted(SqlName.table("order")));
            execute(
                    connection,
                    "create table " + quoting.quoted(SqlName.table("order")) + " ("
                            + quoting.quoted(SqlName.column("key")) + " varchar(80) primary key)");
            String schema = database == TestDatabase.SQLITE
                    ? "main"
                    : connection.getSchema() == null ? connection.getCatalog() : connection.getSchema();

            for (String table : List.of("order", "Order", schema + ".order")) {
                if (table.equals("Order") && quoting.kind() == DatabaseSyntax.Kind.MYSQL) {
                    continue; // its tables are files, whose names have a case
                }
                UniqueKeyInsert key = UniqueKeyInsert.of(table, "Key");
                assertThat(key.insert(connection, ColumnValues.of("KEY", table), row -> row.getString(1)))
                        .isEqualTo(new Inserted<>(table));
                assertThat(key.insert(connection, ColumnValues.of("key", table), row -> row.getString(1)))
                        .isEqualTo(new Existing<>(table));
            }
        }
    }

    @Test
    void values_are_values_whatever_they_look_like() throws SQLException {
        String nasty = "'; drop table orders; -- \" ` \\ ? 订单";

        InsertResult<Order> first = inTransaction(connection -> order(connection, nasty, 1));
        InsertResult<Order> second = inTransaction(connection -> order(connection, nasty, 1));

        assertThat(first.row().number()).isEqualTo(nasty);
        assertThat(second).isEqualTo(new Existing<>(first.row()));
    }

    @Test
    void a_row_without_its_key_is_refused() throws SQLException {
        try (Connection connection = source.getConnection()) {
            assertThatThrownBy(() -> ORDER_NO.insert(connection, ColumnValues.of("id", "1"), Order::of))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> ORDER_NO.insert(connection, ColumnValues.of("order_no", null), Order::of))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> ORDER_NO.insert(
                            connection, ColumnValues.of("order_no", NO).plus("cents", 1), Order::of))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static InsertResult<Order> order(Connection connection, String number, long cents) throws SQLException {
        return insert(connection, number, null, cents);
    }

    private static InsertResult<Order> insert(Connection connection, String number, @Nullable String coupon, long cents)
            throws SQLException {
        ColumnValues row = ColumnValues.of("id", TimeOrderedIds.next().toString())
                .and("order_no", number)
                .and("coupon", coupon)
                .and("cents", cents);
        return ORDER_NO.insert(connection, row, Order::of);
    }

    private InsertResult<String> request(UniqueKeyInsert key, long user, String number) throws SQLException {
        return inTransaction(connection -> key.insert(
                connection,
                ColumnValues.of("user_id", user).and("request_no", number),
                row -> row.getLong("id") + " " + row.getString("state")));
    }

    private interface Task<T> {
        T run() throws SQLException;
    }

    private static <T> CompletableFuture<T> async(Task<T> task) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return task.run();
                    } catch (SQLException e) {
                        throw new CompletionException(e);
                    }
                },
                work -> new Thread(work).start());
    }
}
