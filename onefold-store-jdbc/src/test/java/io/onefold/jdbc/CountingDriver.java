package io.onefold.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A driver that counts its connections, and the statements with some text in them: below a pool that is nothing but a pool. */
final class CountingDriver implements Driver, AutoCloseable {
    private final String url = "jdbc:counting:" + UUID.randomUUID();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger statements = new AtomicInteger();
    private final DataSource source;
    private final String text;

    CountingDriver(DataSource source, String text) throws SQLException {
        this.source = source;
        this.text = text;
        DriverManager.registerDriver(this);
    }

    HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    int connections() {
        return connections.get();
    }

    int statements() {
        return statements.get();
    }

    @Override
    public @Nullable Connection connect(String asked, Properties info) throws SQLException {
        return acceptsURL(asked) ? counted(source.getConnection()) : null;
    }

    private Connection counted(Connection connection) {
        connections.incrementAndGet();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                    if (method.getName().equals("prepareStatement")
                            && String.valueOf(args[0]).contains(text)) {
                        statements.incrementAndGet();
                    }
                    try {
                        return method.invoke(connection, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public boolean acceptsURL(String asked) {
        return asked.equals(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String asked, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void close() throws SQLException {
        DriverManager.deregisterDriver(this);
    }
}
