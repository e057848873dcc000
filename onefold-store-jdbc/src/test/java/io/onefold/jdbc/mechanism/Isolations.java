package io.onefold.jdbc.mechanism;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.sql.Connection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that holds at every level of isolation. */
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ValueSource(
        ints = {
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE
        })
@interface Isolations {}
