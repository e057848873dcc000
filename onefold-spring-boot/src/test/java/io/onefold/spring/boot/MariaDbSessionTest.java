package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.servers.MariaDbServer;
import io.onefold.store.RecordId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** On MariaDB, which gives up who has waited too long for a row, and locks keys for as long as a session. */
class MariaDbSessionTest extends OpenSessionCases {
    MariaDbSessionTest() {
        super(MariaDbServer.shared(), "&sessionVariables=innodb_lock_wait_timeout=1");
    }

    @Override
    boolean waitsInVain() {
        return true;
    }

    @Override
    void standInTheWay(Connection other, PreparedStatement change) throws SQLException {
        change.executeUpdate();
    }

    @Override
    void nothingIsLocked(String operation, String key) throws SQLException {
        try (Connection other = connection();
                PreparedStatement ask = other.prepareStatement("select is_used_lock(?)")) {
            ask.setString(1, "onefold:" + RecordId.of("", operation, key).uuid());
            try (ResultSet row = ask.executeQuery()) {
                row.next();
                assertThat(row.getObject(1))
                        .as("the session that holds the lock")
                        .isNull();
            }
        }
    }
}
