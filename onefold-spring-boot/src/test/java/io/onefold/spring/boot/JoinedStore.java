package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.CaseStore;
import io.onefold.jdbc.JdbcStore;
import io.onefold.store.ForwardingStore;
import io.onefold.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** The records of a case in a database of its own, in whose transactions its handlers run. */
final class JoinedStore extends ForwardingStore implements CaseStore {
    private final DataSource source;

    private JoinedStore(DataSource source) {
        super(JdbcStore.of(source));
        this.source = source;
    }

    static JoinedStore open() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return new JoinedStore(source);
    }

    /** The clock of a database cannot be moved on, so that what it has noted is moved back. */
    @Override
    public void pass(Duration time) {
        long micros = time.toNanos() / 1_000;
        StringBuilder text = new StringBuilder("update idempotent_record set ");
        for (String column : new String[] {"created_at", "updated_at", "lease_until", "expire_at", "gone_at"}) {
            text.append(column).append(" = ").append(column).append(" - ").append(micros);
            text.append(column.equals("gone_at") ? "" : ", ");
        }
        execute(text.toString());
    }

    @Override
    public void close() {
        execute("shutdown");
    }

    private void execute(String text) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(text);
        } catch (SQLException e) {
            throw new StoreException(text, e);
        }
    }

    /** Where the transactions of an application are: in the database of the case that it shows. */
    static final class Source extends AbstractDataSource {
        private final Stage stage;

        Source(Stage stage) {
            this.stage = stage;
        }

        @Override
        public Connection getConnection() throws SQLException {
            AdapterSetup shown = stage.setting();
            return ((JoinedStore) shown.placed()).source.getConnection();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }
    }
}
