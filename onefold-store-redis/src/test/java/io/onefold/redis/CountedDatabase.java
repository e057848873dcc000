package io.onefold.redis;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts the statements that a database is asked. */
final class CountedDatabase {
    private static final Set<String> EXECUTING = Set.of("execute", "executeQuery", "executeUpdate", "executeBatch");

    private final AtomicInteger statements = new AtomicInteger();
    private final DataSource source;

    CountedDatabase(DataSource source) {
        this.source = counted(DataSource.class, source);
    }

    DataSource source() {
        return source;
    }

    int statements() {
        return statements.get();
    }

    private <T> T counted(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (EXECUTING.contains(method.getName())) {
                        statements.incrementAndGet();
                    }
                    Object result;
                    try {
                        result = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (result instanceof Connection connection
                            && method.getName().equals("getConnection")) {
                        return counted(Connection.class, connection);
                    }
                    return result instanceof PreparedStatement statement
                            ? counted(PreparedStatement.class, statement)
                            : result;
                }));
    }
}
