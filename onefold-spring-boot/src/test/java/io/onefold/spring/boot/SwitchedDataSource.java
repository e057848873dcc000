package io.onefold.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A database in memory that can be made unreachable for a while. */
final class SwitchedDataSource extends DelegatingDataSource {
    private volatile boolean down;

    SwitchedDataSource() {
        super(JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", ""));
    }

    void setDown(boolean down) {
        this.down = down;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (down) {
            throw new SQLTransientConnectionException("the database is down");
        }
        return super.getConnection();
    }
}
