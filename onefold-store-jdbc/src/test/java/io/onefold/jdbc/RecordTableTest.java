package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables for some operations, with columns of their own. */
class RecordTableTest {
    private static final RecordTable ORDERS = RecordTable.named("order_record")
            .holding("create-order")
            .column("order_no", "varchar(64)", claim -> claim.bizId());
    private static final RecordTable REFUNDS =
            RecordTable.named("refund_record").holding("refund", "cancel");
    private static final Duration LONG = Duration.ofHours(1);

    @ParameterizedTest
    @EnumSource
    void records_of_its_operations_land_there_and_only_there(Database database) throws SQLException {
        DataSource source = database.fresh();
        JdbcStore store = open(source, ORDERS);
        Claim alone = claim("create-order", "order-1");
        assertThat(store.claim(alone)).isInstanceOf(ClaimResult.Acquired.class);
        List<Claim> together =
                List.of(claim("create-order", "order-2"), claim("other", "order-3"), claim("create-order", null));
        assertThat(store.claimAll(together))
                .extracting(BatchItemResult::get)
                .hasOnlyElementsOfType(ClaimResult.Acquired.class);
        assertThat(Sqls.texts(source, "select order_no from order_record"))
                .containsExactlyInAnyOrder("order-1", "order-2", null);
        assertThat(Sqls.texts(source, "select biz_id from idempotent_record")).containsExactly("order-3");

        assertThat(store.claim(claim(alone.id(), "order-1"))).isInstanceOf(RecordSnapshot.class);
        complete(store, alone.id());
        assertThat(find(store, alone.id()).status()).isEqualTo(Status.SUCCESS);
        assertThat(open(source, ORDERS).find(alone.id())).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void columns_may_have_any_name_and_many_types(Database database) throws SQLException {
        DataSource source = database.fresh();
        RecordTable table = RecordTable.named("Select")
                .holding("create-order")
                .column("n", "bigint", claim -> 5L)
                .column("now", "integer", claim -> 6)
                .column("lease", "varchar(8)", claim -> "x")
                .column("Order", "character varying(8)", claim -> "y")
                .column("idempotent_record_no", "char(2)", claim -> "ab")
                .column("amount", "decimal(19, 2)", claim -> new BigDecimal("12.50"))
                .column("ratio", "double precision", claim -> 0.5)
                .column("nothing", "smallint", claim -> null);
        JdbcStore store = open(source, table);
        assertThat(store.claim(claim("create-order", "1"))).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(store.claimAll(List.of(claim("create-order", "2"), claim("create-order", "3"))))
                .extracting(BatchItemResult::get)
                .hasOnlyElementsOfType(ClaimResult.Acquired.class);
        String quote = database == Database.MARIADB || database == Database.MYSQL ? "`" : "\"";
        String name = quote
                + (database == Database.POSTGRESQL ? "select" : database == Database.H2 ? "SELECT" : "Select")
                + quote;
        assertThat(Sqls.texts(source, "select n from " + name)).containsExactly("5", "5", "5");
        assertThat(Sqls.texts(source, "select lease from " + name)).containsOnly("x");
        assertThat(Sqls.texts(source, "select amount + 0 from " + name + " where ratio = 0.5"))
                .hasSize(3)
                .allSatisfy(amount -> assertThat(new BigDecimal(amount)).isEqualByComparingTo("12.50"));
    }

    @ParameterizedTest
    @EnumSource
    void listings_and_sweeps_cover_all_tables_in_small_steps(Database database) throws SQLException {
        DataSource source = database.fresh();
        JdbcStore store = open(source, ORDERS, REFUNDS);
        List<RecordId> all = new ArrayList<>();
        for (String operation : List.of("create-order", "refund", "cancel", "other")) {
            for (int i = 0; i < 3; i++) {
                Claim claim = claim(operation, operation + i);
                store.claim(claim);
                complete(store, claim.id());
                all.add(claim.id());
            }
        }
        for (int limit : List.of(1, 2, 3, 5, 11, 12, 13)) {
            assertThat(list(store, RecordFilter.of(Status.SUCCESS), limit))
                    .as("in pages of %s", limit)
                    .containsExactlyInAnyOrderElementsOf(all);
        }
        assertThat(list(store, RecordFilter.of(Status.SUCCESS).operation("cancel"), 2))
                .hasSize(3);
        assertThat(list(store, RecordFilter.of(Status.SUCCESS).bizId("other1"), 1))
                .containsExactly(all.get(10));

        assertThat(store.sweep(100)).as("all are kept").isZero();
        for (String table : List.of("idempotent_record", "order_record", "refund_record")) {
            // a fence that is not in the past keeps a record
            Sqls.run(source, "update " + table + " set expire_at = 1, fence = 1");
        }
        assertThat(List.of(store.sweep(5), store.sweep(5), store.sweep(5), store.sweep(5)))
                .containsExactly(5, 5, 2, 0);
        assertThat(list(store, RecordFilter.of(Status.SUCCESS), 5)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void a_listing_is_not_cut_short_by_what_a_collation_takes_for_equal(Database database) {
        JdbcStore store = open(database.fresh(), ORDERS);
        List<RecordId> wanted = new ArrayList<>();
        for (String operation : List.of("create-order", "other")) {
            for (String bizId : List.of("a ", "a", "A", "a  ", "a ", "a", "a ")) {
                Claim claim = claim(operation, bizId);
                store.claim(claim);
                if (bizId.equals("a")) {
                    wanted.add(claim.id());
                }
            }
        }
        for (int limit : List.of(1, 2, 4, 10)) {
            assertThat(list(store, RecordFilter.of(Status.PROCESSING).bizId("a"), limit))
                    .as("in pages of %s", limit)
                    .containsExactlyInAnyOrderElementsOf(wanted);
        }
    }

    /** Values that read like the name of the primary key's index must not be taken for it. */
    @ParameterizedTest
    @EnumSource
    void a_value_that_another_record_has_is_an_error_for_its_claim_alone_and_no_duplicate(Database database)
            throws SQLException {
        DataSource source = database.fresh();
        JdbcStore store = open(source, ORDERS);
        Sqls.run(source, "create unique index order_no_once on order_record (order_no)");
        for (String taken : List.of("order-1", "PRIMARY", "x\"PUBLIC.PRIMARY_KEY_1 ON ", "a.PRIMARY'")) {
            Claim first = claim("create-order", taken);
            assertThat(store.claim(first)).isInstanceOf(ClaimResult.Acquired.class);

            Claim second = claim("create-order", taken);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.claim(second))
                    .withCauseInstanceOf(SQLException.class);
            assertThat(store.find(second.id())).isNull();

            Claim third = claim("create-order", taken + " 3");
            Claim twin = claim("create-order", taken + " 3");
            Claim elsewhere = claim("other", taken);
            List<BatchItemResult<ClaimResult>> answers =
                    store.claimAll(List.of(claim(first.id(), taken), second, third, twin, elsewhere));
            assertThat(answers.get(0).get()).as("a duplicate").isInstanceOf(RecordSnapshot.class);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> answers.get(1).get());
            boolean won = answers.get(2).succeeded();
            assertThat(answers.get(won ? 2 : 3).get()).as("one of the twins").isInstanceOf(ClaimResult.Acquired.class);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> answers.get(won ? 3 : 2).get());
            assertThat(answers.get(4).get()).isInstanceOf(ClaimResult.Acquired.class);
            assertThat(store.find((won ? twin : third).id())).isNull();
            assertThat(store.claim(claim(second.id(), taken + " 2"))).isInstanceOf(ClaimResult.Acquired.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_function_that_fails_fails_its_claim_alone(Database database) {
        RecordTable table = RecordTable.named("order_record")
                .holding("create-order")
                .column("order_no", "bigint", claim -> Long.valueOf(String.valueOf(claim.bizId())));
        JdbcStore store = open(database.fresh(), table);
        List<BatchItemResult<ClaimResult>> answers = store.claimAll(
                List.of(claim("create-order", "1"), claim("create-order", "two"), claim("create-order", "3")));
        assertThat(answers).extracting(BatchItemResult::succeeded).containsExactly(true, false, true);
        assertThatExceptionOfType(NumberFormatException.class)
                .isThrownBy(() -> answers.get(1).get());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a;drop table users",
                "a\"",
                "a`",
                "a'",
                "a\"; drop table users; --",
                "a--",
                "a/*",
                "1a",
                "a.b.c",
                ".a",
                "a.",
                "a\n",
                "a\u0000",
                "tablé",
                "a$1",
                "a\\",
                "{table}",
                "a(b",
                "[a]",
                "?"
            })
    void hostile_names_are_refused_by_name(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordTable.named(name))
                .withMessageContaining("table name \"" + name + "\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ORDERS.column(name, "bigint", claim -> 1))
                .withMessageContaining("column name \"" + name + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " int",
                "int;",
                "int, x int",
                "int) ; drop table users; --",
                "int --",
                "int /* */",
                "varchar(64",
                "varchar(a)",
                "varchar(64))",
                "varchar(64) unique",
                "int primary key",
                "int not null",
                "int default 1",
                "int references users",
                "int check",
                "int generated always as identity",
                "varchar collate nocase",
                "enum('a')",
                "\"int\"",
                "int\n",
                "int[]"
            })
    void what_is_not_a_type_is_refused_by_name(String type) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ORDERS.column("mine", type, claim -> 1))
                .withMessageContaining("column mine has the type \"" + type + "\"");
    }

    @Test
    void what_would_be_there_twice_is_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ORDERS.column("Status", "int", claim -> 1))
                .withMessageContaining("column Status is one of Onefold's own");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ORDERS.column("Order_No", "int", claim -> 1))
                .withMessageContaining("two columns Order_No");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordTable.named("app.onefold_meta"))
                .withMessageContaining("app.onefold_meta");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordTable.named("x".repeat(59)))
                .withMessageContaining("x".repeat(59));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(
                        Database.H2.fresh(),
                        ORDERS,
                        RecordTable.named("ORDER_RECORD").holding("x")))
                .withMessageContaining("two tables ORDER_RECORD");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(
                        Database.H2.fresh(), REFUNDS, RecordTable.named("more").holding("x", "cancel")))
                .withMessageContaining("operation cancel is held by table refund_record and by more");
    }

    @ParameterizedTest
    @EnumSource
    void the_longest_name_gets_all_its_indexes(Database database) {
        RecordTable table = RecordTable.named("x".repeat(58)).holding("create-order");
        JdbcStore store = open(database.fresh(), table);
        assertThat(store.claim(claim("create-order", null))).isInstanceOf(ClaimResult.Acquired.class);
    }

    private static JdbcStore open(DataSource source, RecordTable... tables) {
        JdbcStore.Builder builder = JdbcStore.builder(source);
        for (RecordTable table : tables) {
            builder.table(table);
        }
        return builder.build();
    }

    private static Claim claim(String operation, @Nullable String bizId) {
        return claim(RecordId.of("scope", operation, UUID.randomUUID().toString()), bizId);
    }

    private static Claim claim(RecordId id, @Nullable String bizId) {
        return Claim.of(id, UUID.randomUUID(), LONG).bizId(bizId);
    }

    private static void complete(JdbcStore store, RecordId id) {
        Ticket ticket = find(store, id).ticket();
        ResultPayload result = new ResultPayload(ResultPayload.Kind.VALUE, "json", 1, null, "1".getBytes(UTF_8));
        assertThat(store.update(ticket, new Change.Complete(result, RetentionPeriod.of(LONG))))
                .isEqualTo(UpdateResult.APPLIED);
    }

    private static StoredRecord find(JdbcStore store, RecordId id) {
        return Objects.requireNonNull(store.find(id), "a record").record();
    }

    private static List<RecordId> list(JdbcStore store, RecordFilter filter, int limit) {
        List<RecordId> ids = new ArrayList<>();
        String cursor = null;
        do {
            RecordPage page = store.list(filter, cursor, limit);
            assertThat(page.records()).hasSizeLessThanOrEqualTo(limit);
            page.records().forEach(record -> ids.add(record.id()));
            cursor = page.next();
        } while (cursor != null);
        return ids;
    }
}
