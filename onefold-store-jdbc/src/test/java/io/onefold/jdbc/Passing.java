package io.onefold.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import javax.sql.DataSource;

/** A database that passes everything on, and does something before one of its calls. */
final class Passing {
    @FunctionalInterface
    interface Act {
        void run() throws Exception;
    }

    private Passing() {}

    static DataSource each(DataSource source, String call, Act before) {
        return passing(DataSource.class, source, call, before);
    }

    private static <T> T passing(Class<T> type, T to, String call, Act before) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            if (method.getName().equals(call)) {
                before.run();
            }
            try {
                Object answer = method.invoke(to, args);
                return answer instanceof Connection connection
                        ? passing(Connection.class, connection, call, before)
                        : answer instanceof DatabaseMetaData meta
                                ? passing(DatabaseMetaData.class, meta, call, before)
                                : answer;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
