package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Outcome;
import io.onefold.TransactionScope;
import io.onefold.store.TransactionConflictException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A caller's transaction on a connection that the store sees for the first time, so that it asks which database that is. Where the lock of a
 * record is the session's, the transaction must see what was committed before it got the lock: the question must not fix its snapshot.
 */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("whereWaitingIsOnefolds")
class UnseenConnectionTest extends JoinedCases {

    @Test
    void what_was_committed_before_the_lock_is_replayed_or_gives_the_transaction_up() throws Exception {
        try (Connection unseen = source().getConnection()) {
            unseen.setTransactionIsolation(
                    Connection.class.getField("TRANSACTION_" + isolation).getInt(null));
            unseen.setAutoCommit(false);
            Outcome<String> outcome = null;
            try (TransactionScope joined = onefold.joined(beforeTheLock(unseen, this::postElsewhere))) {
                outcome = joined.<String, SQLException>attempt(POST, key(), attempt -> post(unseen, "second"));
                unseen.commit();
            } catch (TransactionConflictException e) {
                unseen.rollback();
            }
            if (database == Database.MARIADB || database == Database.MYSQL) {
                assertThat(outcome).isEqualTo(new Outcome.Replayed<>("first", true));
            }
        }
        assertThat(posted()).isEqualTo(1);
    }

    private void postElsewhere() throws SQLException {
        onefold.inTransaction(POST, key(), (attempt, connection) -> post(connection, "first"));
    }

    /** The same connection; before its first statement that does not ask which database it is, something else happens. */
    private static Connection beforeTheLock(Connection connection, Passing.Act act) {
        AtomicBoolean happened = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            && !String.valueOf(arguments[0]).contains("'identity'")
                            && happened.compareAndSet(false, true)) {
                        act.run();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
