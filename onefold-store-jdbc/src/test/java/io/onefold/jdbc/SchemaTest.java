package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a store does about its tables when it is opened. */
class SchemaTest {
    private static final int NODES = 10;
    private static final String OWN = "-- columns of your own";

    @ParameterizedTest
    @EnumSource
    void create_makes_the_tables_and_opening_again_is_fine(Database database) throws SQLException {
        DataSource source = database.fresh();
        Claim claim = claim();
        assertThat(JdbcStore.of(source).claim(claim)).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(Sqls.tables(source)).contains("idempotent_record", "onefold_meta", "onefold_token");
        for (SchemaMode schema : SchemaMode.values()) {
            assertThat(JdbcStore.builder(source).schema(schema).build().find(claim.id()))
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ten_nodes_that_open_an_empty_database_at_once_all_succeed(Database database) throws SQLException {
        DataSource source = database.fresh();
        // a first connection alone: MariaDB's data source is not safe for threads until it has read its own settings
        Sqls.run(source);
        CountDownLatch start = new CountDownLatch(NODES);
        List<CompletableFuture<ClaimResult>> nodes = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> {
                            start.countDown();
                            try {
                                start.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            return JdbcStore.of(source).claim(claim());
                        },
                        task -> new Thread(task).start()))
                .limit(NODES)
                .toList();
        assertThat(nodes).extracting(CompletableFuture::join).hasOnlyElementsOfType(ClaimResult.Acquired.class);
        assertThat(JdbcTokenStore.on(JdbcStore.of(source)).issue("submit", "ann"))
                .isNotEmpty();
    }

    @Test
    void a_table_that_another_node_is_still_making_is_looked_at_again() throws SQLException {
        DataSource source = Database.H2.fresh();
        String script = SchemaManager.script(new H2Dialect(), RecordTable.named(RecordTable.DEFAULT));
        Sqls.run(source, script.replace("id             binary(16) primary key", "id binary(16) not null"));
        AtomicInteger looks = new AtomicInteger();
        DataSource other = Passing.each(source, "getPrimaryKeys", () -> {
            if (looks.incrementAndGet() == 2) {
                Sqls.run(source, "alter table idempotent_record add primary key (id)");
            }
        });
        assertThat(JdbcStore.of(other).claim(claim())).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(looks).hasValueGreaterThanOrEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void validate_names_a_missing_table_and_the_file_to_make_it_from(Database database) throws SQLException {
        DataSource source = database.fresh();
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        JdbcStore.builder(source).schema(SchemaMode.VALIDATE).build())
                .withMessageContaining("table idempotent_record is missing")
                .withMessageContaining(file(database));
        assertThat(Sqls.tables(source)).isEmpty();
        JdbcStore.of(source);
        Sqls.run(source, "drop table onefold_meta");
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        JdbcStore.builder(source).schema(SchemaMode.VALIDATE).build())
                .withMessageContaining("table onefold_meta is missing")
                .withMessageContaining(file(database));
    }

    /** Without them every claim would fail, or every overwriting. */
    @ParameterizedTest
    @EnumSource
    void what_an_older_script_has_not_made_is_named(Database database) throws SQLException {
        DataSource source = database.fresh();
        JdbcStore.of(source);
        Sqls.run(source, "drop table onefold_fence");
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        JdbcStore.builder(source).schema(SchemaMode.VALIDATE).build())
                .withMessageContaining("table onefold_fence is missing")
                .withMessageContaining(file(database));
        Sqls.run(
                source,
                "alter table idempotent_record drop column earlier_end",
                "alter table idempotent_record drop column earlier_payload");
        for (SchemaMode schema : List.of(SchemaMode.CREATE, SchemaMode.VALIDATE)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> JdbcStore.builder(source).schema(schema).build())
                    .withMessageContaining("column earlier_end is missing")
                    .withMessageContaining("column earlier_payload is missing")
                    .withMessageContaining(file(database));
        }
    }

    @ParameterizedTest
    @EnumSource
    void create_makes_what_an_earlier_node_did_not_get_to(Database database) throws SQLException {
        DataSource source = database.fresh();
        JdbcStore.of(source);
        Sqls.run(source, "drop table onefold_token", "drop table onefold_fence", "delete from onefold_meta");
        assertThat(JdbcTokenStore.on(JdbcStore.of(source)).issue("submit", "ann"))
                .isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void none_touches_nothing(Database database) throws SQLException {
        DataSource source = database.fresh();
        JdbcStore store = JdbcStore.builder(source).schema(SchemaMode.NONE).build();
        assertThat(Sqls.tables(source)).isEmpty();
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.claim(claim()));
    }

    @ParameterizedTest
    @EnumSource
    void a_table_of_the_same_name_and_another_shape_is_left_alone_and_what_is_wrong_is_named(Database database)
            throws SQLException {
        DataSource source = database.fresh();
        Sqls.run(
                source,
                "create table idempotent_record (id bigint not null, idem_key varchar(64) not null, biz_type varchar(32)"
                        + " not null, biz_id varchar(64), request_hash varchar(64) not null, status smallint not null,"
                        + " expire_at timestamp, created_at timestamp, primary key (id))");
        for (SchemaMode schema : List.of(SchemaMode.CREATE, SchemaMode.VALIDATE)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> JdbcStore.builder(source).schema(schema).build())
                    .withMessageContaining("table idempotent_record is not Onefold's")
                    .withMessageContaining("column id is ")
                    .withMessageContaining("column created_at is ")
                    .withMessageContaining("column owner is missing")
                    .withMessageContaining("column fence is missing")
                    .withMessageContaining("column request_hash must not be null, and nothing fills it")
                    .withMessageContaining(file(database))
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("column idem_key", "column status"));
        }
        assertThat(Sqls.tables(source)).as("nothing is made beside it").containsExactly("idempotent_record");
    }

    @ParameterizedTest
    @EnumSource
    void another_primary_key_is_named(Database database) throws SQLException {
        DataSource source = database.fresh();
        make(source, script -> script.replaceFirst("primary key", "").replace(OWN, ", primary key (id, owner)"));
        assertThatIllegalStateException()
                .isThrownBy(() -> JdbcStore.of(source))
                .withMessageContaining("the primary key is [id, owner], not [id]");
    }

    @ParameterizedTest
    @EnumSource
    void a_newer_schema_version_is_refused(Database database) throws SQLException {
        DataSource source = database.fresh();
        JdbcStore.of(source);
        Sqls.run(source, "update onefold_meta set setting = '2' where name = 'schema_version'");
        for (SchemaMode schema : List.of(SchemaMode.CREATE, SchemaMode.VALIDATE)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> JdbcStore.builder(source).schema(schema).build())
                    .withMessageContaining("schema version 2")
                    .withMessageContaining("knows version 1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_column_of_the_users_that_must_not_be_null_is_refused_unless_something_fills_it(Database database)
            throws SQLException {
        DataSource source = database.fresh();
        make(source, script -> script.replace(OWN, ", shop varchar(8) not null, till varchar(8) default 'x' not null"));
        assertThatIllegalStateException()
                .isThrownBy(() -> JdbcStore.of(source))
                .withMessageContaining("column shop must not be null, and nothing fills it")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("till"));
        JdbcStore store = JdbcStore.builder(source)
                .table(RecordTable.named(RecordTable.DEFAULT).column("shop", "varchar(8)", claim -> "north"))
                .build();
        assertThat(store.claim(claim())).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(Sqls.texts(source, "select shop from idempotent_record")).containsExactly("north");
        assertThat(Sqls.texts(source, "select till from idempotent_record")).containsExactly("x");
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, bigint generated always as identity",
        "H2, bigint generated always as identity",
        "MARIADB, bigint not null auto_increment unique",
        "MYSQL, bigint not null auto_increment unique"
    })
    void a_column_that_the_database_fills_is_none_of_our_business(Database database, String type) throws SQLException {
        DataSource source = database.fresh();
        make(source, script -> script.replace(OWN, ", serial_no " + type));
        assertThat(JdbcStore.of(source).claim(claim())).isInstanceOf(ClaimResult.Acquired.class);
    }

    @ParameterizedTest
    @EnumSource
    void a_column_of_ones_own_that_is_not_there_is_named(Database database) {
        DataSource source = database.fresh();
        JdbcStore.of(source);
        assertThatIllegalStateException()
                .isThrownBy(() -> JdbcStore.builder(source)
                        .table(RecordTable.named(RecordTable.DEFAULT).column("shop", "varchar(8)", claim -> "north"))
                        .build())
                .withMessageContaining("column shop of your own is missing");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "H2"})
    void tables_can_stand_in_a_schema_of_their_own(Database database) throws SQLException {
        DataSource source = database.fresh();
        Sqls.run(source, "create schema app");
        JdbcStore store = JdbcStore.builder(source)
                .table(RecordTable.named("app.idempotent_record"))
                .build();
        assertThat(store.claim(claim())).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(Sqls.texts(source, "select count(*) from app.idempotent_record"))
                .containsExactly("1");
        assertThat(JdbcTokenStore.on(store).issue("submit", "ann")).isNotEmpty();
        assertThat(Sqls.texts(source, "select count(*) from app.onefold_token")).containsExactly("1");
        assertThat(Sqls.tables(source)).isEmpty();
    }

    private interface Edit {
        String of(String script);
    }

    /** Makes the tables as a person would who has edited the schema file. */
    private static void make(DataSource source, Edit edit) throws SQLException {
        try (Connection connection = source.getConnection()) {
            String script = edit.of(SqlFile.text(
                    "schema/" + Dialect.of(connection.getMetaData()).name() + ".sql"));
            for (String statement : script.replaceAll("--.*", "").split(";", -1)) {
                if (!statement.isBlank()) {
                    Sqls.run(source, statement);
                }
            }
        }
    }

    private static String file(Database database) {
        return "io/onefold/jdbc/schema/"
                + switch (database) {
                    case POSTGRESQL -> "postgresql";
                    case MARIADB, MYSQL -> "mysql";
                    case SQLITE -> "sqlite";
                    case H2 -> "h2";
                }
                + ".sql";
    }

    private static Claim claim() {
        RecordId id = RecordId.of("scope", "operation", UUID.randomUUID().toString());
        return Claim.of(id, UUID.randomUUID(), Duration.ofHours(1));
    }
}
