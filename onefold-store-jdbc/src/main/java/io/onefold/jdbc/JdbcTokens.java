package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.Key;
import io.onefold.Presets;
import io.onefold.Tokens;
import io.onefold.store.Alteration;
import io.onefold.store.StoreException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens in the table {@code onefold_token}, which stands beside the shared table of a {@link JdbcStore}.
 *
 * <pre>{@code
 * Tokens tokens = JdbcTokens.on(dataSource);
 * Onefold onefold = Onefold.builder(store).tokens(tokens).build();
 * }</pre>
 *
 * A token is 256 random bits. The table has only its hash: who reads the table cannot use what is in it. One that has expired is
 * known as such for one more life; then it is deleted, a few at a time, when others are issued.
 */
public final class JdbcTokens implements Tokens {
    /** How long a token lives unless told otherwise. */
    public static final Duration LIFE = Presets.FORM;

    private static final Logger LOG = LoggerFactory.getLogger(JdbcTokens.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int BYTES = 32;
    private static final int FEW = 8;

    private final Dialect dialect;
    private final Connections connections;
    private final Statements statements;
    private final SecureRandom random = new SecureRandom();
    private final Duration life;

    private JdbcTokens(DataSource source, Dialect dialect, Duration life) {
        this.dialect = dialect;
        this.statements = new Statements(TIMEOUT, dialect);
        this.connections = new Connections(source, dialect, statements);
        this.life = life;
    }

    public static JdbcTokens on(DataSource source) {
        return on(source, LIFE);
    }

    public static JdbcTokens on(DataSource source, Duration life) {
        if (life.isNegative() || life.isZero()) {
            throw new IllegalArgumentException("life must be positive, not " + life);
        }
        JdbcTokens tokens;
        try (Connection connection = source.getConnection()) {
            tokens = new JdbcTokens(source, Dialect.of(connection.getMetaData()), life);
        } catch (SQLException e) {
            throw new StoreException("the tokens could not be opened: " + e.getMessage(), e);
        }
        tokens.requireTable();
        return tokens;
    }

    private void requireTable() {
        try {
            var unused = check("", "", "");
        } catch (StoreException e) {
            throw new IllegalStateException(
                    "table onefold_token is missing or cannot be read: " + e.getMessage()
                            + "; open a JdbcStore with Schema.CREATE before, or make it from io/onefold/jdbc/schema/"
                            + dialect.name() + ".sql in the jar",
                    e);
        }
    }

    @Override
    public String issue(String operation, String user) {
        byte[] bits = new byte[BYTES];
        random.nextBytes(bits);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
        // a user that no key could carry is refused now, not when the token comes back
        var unused = Key.ofToken(token, user);
        connections.eachAlone(() -> "issuing a token", connection -> {
            try (PreparedStatement insert = prepare(connection, "token issue")) {
                insert.setBytes(1, hash(token));
                insert.setString(2, operation);
                insert.setString(3, user);
                insert.setLong(4, Alteration.micros(life));
                return insert.executeUpdate();
            }
        });
        sweep();
        return token;
    }

    /** Failing to costs nothing: who is issued the next token tries again. */
    private void sweep() {
        try {
            connections.eachAlone(() -> "sweeping tokens", connection -> {
                try (PreparedStatement delete = prepare(connection, "token sweep")) {
                    delete.setLong(1, Alteration.micros(life));
                    delete.setInt(2, FEW);
                    return delete.executeUpdate();
                }
            });
        } catch (StoreException e) {
            LOG.debug("expired tokens stay a little longer", e);
        }
    }

    @Override
    public Check check(String token, String operation, String user) {
        return connections.eachAlone(() -> "checking a token", connection -> {
            try (PreparedStatement find = prepare(connection, "token find")) {
                find.setBytes(1, hash(token));
                try (ResultSet row = find.executeQuery()) {
                    if (!row.next()) {
                        return Check.MISSING;
                    }
                    // compared here, since a collation may take different texts for equal
                    if (!operation.equals(row.getString(1)) || !user.equals(row.getString(2))) {
                        return Check.FOREIGN;
                    }
                    return row.getInt(3) == 1 ? Check.EXPIRED : Check.VALID;
                }
            }
        });
    }

    @Override
    public void remove(String token) {
        connections.eachAlone(() -> "removing a token", connection -> {
            try (PreparedStatement delete = prepare(connection, "token remove")) {
                delete.setBytes(1, hash(token));
                return delete.executeUpdate();
            }
        });
    }

    @Override
    public Duration life() {
        return life;
    }

    private PreparedStatement prepare(Connection connection, String name) throws SQLException {
        return statements.prepare(connection, dialect.complete(dialect.sql().get(name)));
    }

    static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
