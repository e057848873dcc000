package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.servers.DatabaseServer;
import io.onefold.servers.MariaDbServer;
import io.onefold.servers.PostgresServer;
import io.onefold.store.contract.ProcessFuzz;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that count in a file, kept apart by nothing but their claims; one of them is killed. */
@Tag("F24")
@Timeout(120)
class JdbcProcessFuzzTest {
    private static final int ROUNDS = 60;

    @TempDir
    Path dir;

    @Test
    void claims_in_postgresql_exclude_each_other_across_processes() throws Exception {
        assertNoCountIsLost(on(PostgresServer.shared()));
    }

    @Test
    void claims_in_mariadb_exclude_each_other_across_processes() throws Exception {
        assertNoCountIsLost(on(MariaDbServer.shared()));
    }

    @Test
    void claims_in_sqlite_exclude_each_other_across_processes() throws Exception {
        assertNoCountIsLost("jdbc:sqlite:" + dir.resolve("records.db")
                + "?journal_mode=WAL&synchronous=FULL&busy_timeout=10000\n\n");
    }

    private static String on(DatabaseServer server) {
        return server.url(server.newDatabase()) + "\n" + server.user() + "\n" + server.password();
    }

    private void assertNoCountIsLost(String argument) throws Exception {
        ProcessFuzz.FuzzCount count =
                ProcessFuzz.run(new FuzzOpener().open(argument), FuzzOpener.class, argument, dir, 3, 1, ROUNDS, 42);
        assertThat(count.exact()).as("%s", count).isTrue();
        assertThat(count.logged()).as("%s", count).isGreaterThanOrEqualTo(2 * ROUNDS);
    }
}
