package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.Key;
import io.onefold.RetentionPresets;
import io.onefold.TokenStore;
import io.onefold.store.ColumnUpdate;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens in the table {@code onefold_token}, which stands beside the shared table of a {@link JdbcStore}.
 *
 * <pre>{@code
 * TokenStore tokens = JdbcTokenStore.on(store);
 * Onefold onefold = Onefold.builder(store).tokens(tokens).build();
 * }</pre>
 *
 * A token is 256 random bits. The table has only its hash: who reads the table cannot use what is in it. One that has expired is
 * known as such for one more life; then it is deleted, a few at a time, when others are issued.
 */
public final class JdbcTokenStore implements TokenStore {
    /** The default life of a token. */
    public static final Duration LIFE = RetentionPresets.FORM;

    private static final Logger LOG = LoggerFactory.getLogger(JdbcTokenStore.class);
    private static final int BYTES = 32;
    private static final int FEW = 8;

    private final JdbcContext backing;
    private final TableStatements beside;
    private final SecureRandom random = new SecureRandom();
    private final Duration life;

    /** @param beside the table that theirs stands beside */
    JdbcTokenStore(JdbcContext backing, TableStatements beside, Duration life) {
        this.backing = backing;
        this.beside = beside;
        this.life = life;
    }

    public static JdbcTokenStore on(JdbcStore store) {
        return on(store, LIFE);
    }

    /**
     * Tokens beside the records of a store.
     *
     * @throws IllegalStateException if their table is missing, which a store makes that is opened with {@link SchemaMode#CREATE}
     */
    public static JdbcTokenStore on(JdbcStore store, Duration life) {
        if (life.isNegative() || life.isZero()) {
            throw new IllegalArgumentException("life must be positive, not " + life);
        }
        JdbcTokenStore tokens = store.tokens(life);
        tokens.requireTable();
        return tokens;
    }

    private void requireTable() {
        try {
            var unused = check("", "", "");
        } catch (StoreException e) {
            throw new IllegalStateException(
                    "table " + SchemaManager.beside(beside, SchemaManager.TOKEN) + " is missing or cannot be read: "
                            + e.getMessage()
                            + "; open the store with Schema.CREATE, or make it from "
                            + backing.dialect().file(),
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
        backing.connections().eachAlone(() -> "issuing a token", connection -> {
            try (PreparedStatement insert = prepare(connection, "token issue")) {
                insert.setBytes(1, hash(token));
                insert.setString(2, operation);
                insert.setString(3, user);
                insert.setLong(4, ColumnUpdate.micros(life));
                return insert.executeUpdate();
            }
        });
        sweep();
        return token;
    }

    /** Deletes expired tokens. A failure costs nothing, because the next call that issues a token tries again. */
    private void sweep() {
        try {
            backing.connections().eachAlone(() -> "sweeping tokens", connection -> {
                try (PreparedStatement delete = prepare(connection, "token sweep")) {
                    delete.setLong(1, ColumnUpdate.micros(life));
                    delete.setInt(2, FEW);
                    return delete.executeUpdate();
                }
            });
        } catch (StoreException e) {
            LOG.debug("expired tokens stay a little longer", e);
        }
    }

    @Override
    public TokenCheck check(String token, String operation, String user) {
        return backing.connections().eachAlone(() -> "checking a token", connection -> {
            try (PreparedStatement find = prepare(connection, "token find")) {
                find.setBytes(1, hash(token));
                try (ResultSet row = find.executeQuery()) {
                    if (!row.next()) {
                        return TokenCheck.MISSING;
                    }
                    // compared here, since a collation may take different texts for equal
                    if (!operation.equals(row.getString(1)) || !user.equals(row.getString(2))) {
                        return TokenCheck.FOREIGN;
                    }
                    return row.getInt(3) == 1 ? TokenCheck.EXPIRED : TokenCheck.VALID;
                }
            }
        });
    }

    @Override
    public void remove(String token) {
        backing.connections().eachAlone(() -> "removing a token", connection -> {
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
        return backing.statements().prepare(connection, beside.get(name));
    }

    static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
