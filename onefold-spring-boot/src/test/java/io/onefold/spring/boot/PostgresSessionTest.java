package io.onefold.spring.boot;

import io.onefold.servers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** On PostgreSQL, which gives up who changes what was changed after its snapshot (40001). */
class PostgresSessionTest extends OpenSessionCases {
    PostgresSessionTest() {
        super(
                PostgresServer.shared(),
                "",
                "--spring.datasource.hikari.transaction-isolation=TRANSACTION_REPEATABLE_READ");
    }

    @Override
    boolean waitsInVain() {
        return false;
    }

    @Override
    void standInTheWay(Connection other, PreparedStatement change) throws SQLException {
        change.executeUpdate();
        other.commit();
    }
}
