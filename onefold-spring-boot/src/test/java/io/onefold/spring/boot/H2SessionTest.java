package io.onefold.spring.boot;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** On H2, which gives up who has waited too long for a row. */
class H2SessionTest extends OpenSessionCases {
    H2SessionTest() {
        super("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=100", "sa", "");
    }

    @Override
    void standInTheWay(Connection other, PreparedStatement change) throws SQLException {
        change.executeUpdate();
    }
}
