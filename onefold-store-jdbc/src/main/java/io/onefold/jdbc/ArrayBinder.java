package io.onefold.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Binds lists as PostgreSQL's arrays, one parameter after another. */
final class ArrayBinder {
    private final PreparedStatement statement;
    private final PGConnection connection;
    private final int size;
    private int at;

    ArrayBinder(PreparedStatement statement, int size, int from) throws SQLException {
        this.statement = statement;
        this.connection = statement.getConnection().unwrap(PGConnection.class);
        this.size = size;
        this.at = from;
    }

    /** The parameter after the last that was bound. */
    int next() {
        return at;
    }

    void longs(IntToLongFunction value) throws SQLException {
        long[] all = new long[size];
        for (int i = 0; i < size; i++) {
            all[i] = value.applyAsLong(i);
        }
        statement.setArray(at++, connection.createArrayOf("int8", all));
    }

    void ints(IntUnaryOperator value) throws SQLException {
        objects("int4", value::applyAsInt);
    }

    void booleans(IntPredicate value) throws SQLException {
        objects("bool", value::test);
    }

    void texts(IntFunction<@Nullable String> value) throws SQLException {
        objects("text", value);
    }

    void uuids(IntFunction<@Nullable UUID> value) throws SQLException {
        objects("uuid", value);
    }

    void bytes(IntFunction<byte @Nullable []> value) throws SQLException {
        byte[][] all = new byte[size][];
        for (int i = 0; i < size; i++) {
            all[i] = value.apply(i);
        }
        statement.setArray(at++, connection.createArrayOf("bytea", all));
    }

    void objects(String type, IntFunction<? extends @Nullable Object> value) throws SQLException {
        Object[] all = new Object[size];
        for (int i = 0; i < size; i++) {
            all[i] = value.apply(i);
        }
        statement.setArray(at++, connection.createArrayOf(unbounded(type), all));
    }

    /** A cast to a type with a length silently cuts off what is longer; without it, the column itself refuses that. */
    static String unbounded(String type) {
        int paren = type.indexOf('(');
        String bare = (paren < 0 ? type : type.substring(0, paren)).strip();
        return switch (bare.toLowerCase(Locale.ROOT)) {
            case "char", "character" -> "bpchar";
            case "character varying" -> "varchar";
            case "bit" -> "varbit";
            default -> bare;
        };
    }
}
