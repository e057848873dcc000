package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.TokenStore;
import io.onefold.store.Store;
import io.onefold.store.contract.TokenStoreFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Tokens and records in a database of their own. */
final class JdbcTokensFixture implements TokenStoreFixture {
    private static final int CONNECTIONS = 8;

    private final DataSource source;
    private final JdbcStore store;
    private final JdbcTokenStore tokens;

    JdbcTokensFixture(Database database) {
        source = Database.pool(database.fresh(), CONNECTIONS);
        store = JdbcStore.of(source);
        tokens = JdbcTokenStore.on(store);
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public TokenStore tokens() {
        return tokens;
    }

    @Override
    public TokenStore tokens(Duration life) {
        return JdbcTokenStore.on(store, life);
    }

    @Override
    public void age(String token, Duration by) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "update onefold_token set expire_at = expire_at - ? where token_hash = ?")) {
            statement.setLong(1, by.toNanos() / 1_000);
            statement.setBytes(2, JdbcTokenStore.hash(token));
            if (statement.executeUpdate() != 1) {
                throw new AssertionError("there is no such token");
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public List<byte[]> stored() {
        List<byte[]> stored = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select * from onefold_token")) {
            while (row.next()) {
                stored.add(row.getBytes("token_hash"));
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    stored.add(row.getString(i).getBytes(UTF_8));
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return stored;
    }
}
