package io.onefold.jdbc;

import io.onefold.store.RecordId;
import java.util.function.Function;

/**
 * What every call to the database needs.
 *
 * @param tables where a record is kept
 */
record Backing(Connections connections, Dialect dialect, Statements statements, Function<RecordId, TableSql> tables) {}
