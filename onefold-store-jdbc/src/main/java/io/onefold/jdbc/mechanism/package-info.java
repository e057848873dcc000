/**
 * Ways to take effect once that need no record: a unique key, a state, a version, a fence or a serial number in a table of your own.
 * Each works on your connection and in your transaction, and leaves committing to you.
 *
 * <p>Names of tables and columns are letters, digits and underscores, a table's with one schema before it. They are read as your
 * database reads names without quotes, and quoted, so that reserved words will do. Values are always bound.
 *
 * <p>What the database refuses is its driver's {@link java.sql.SQLException}. Among these are conflicts after which the whole transaction
 * has to be repeated, as with any statement: deadlocks, and under REPEATABLE READ and SERIALIZABLE rows that are newer than the
 * transaction's snapshot.
 */
@NullMarked
package io.onefold.jdbc.mechanism;

import org.jspecify.annotations.NullMarked;
