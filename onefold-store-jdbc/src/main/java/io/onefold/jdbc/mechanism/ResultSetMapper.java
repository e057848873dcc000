package io.onefold.jdbc.mechanism;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads an object from the row that a result set stands on. It must not move the result set. */
@FunctionalInterface
public interface ResultSetMapper<T> {
    T map(ResultSet row) throws SQLException;
}
