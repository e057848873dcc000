package io.onefold.jdbc;

import io.onefold.store.RecordId;
import java.util.function.Function;

/**
 * The parts that every call to the database needs.
 *
 * @param tables returns the table that a record is kept in
 */
record JdbcContext(
        ConnectionRunner connections,
        Dialect dialect,
        StatementPreparer statements,
        Function<RecordId, TableStatements> tables) {}
