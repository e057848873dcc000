package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * An empty database that refuses large payloads: MariaDB and MySQL by the size of their packets, SQLite by its limit of a blob, the
 * others, whose limits no test can reach, by a constraint.
 *
 * @param refused bytes of a payload that it does not take
 */
record LimitedDatabase(Database kind, DataSource source, int refused) {
    private static final int LARGEST = 2 << 20;
    private static final int BEYOND = 3 << 20;

    static LimitedDatabase of(Database kind) {
        DataSource source = kind.fresh();
        if (source instanceof SQLiteDataSource sqlite) {
            sqlite.getConfig().setPragma(SQLiteConfig.Pragma.LIMIT_LENGTH, Integer.toString(LARGEST + 10_000));
        }
        boolean packets = kind == Database.MARIADB || kind == Database.MYSQL;
        return new LimitedDatabase(kind, source, packets ? beyondPackets(source) : BEYOND);
    }

    /** More than the server takes in a packet: 16 MiB on MariaDB and 64 MiB on MySQL, unless told otherwise. */
    private static int beyondPackets(DataSource source) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select @@max_allowed_packet")) {
            row.next();
            return row.getInt(1) + (1 << 20);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** To be called when the tables are there. */
    void limit() {
        if (kind == Database.POSTGRESQL || kind == Database.H2) {
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(
                        "alter table idempotent_record add constraint small check (octet_length(result_payload) <= "
                                + LARGEST + ")");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
