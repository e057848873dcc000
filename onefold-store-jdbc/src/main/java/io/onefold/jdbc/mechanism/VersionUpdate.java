package io.onefold.jdbc.mechanism;

/** The outcome of an update of a {@link VersionedRow}. */
public sealed interface VersionUpdate {

    /** The row was updated and has this version now. */
    record Updated(long version) implements VersionUpdate {}

    /** The row has another version, and was not touched. */
    record Stale(long version) implements VersionUpdate {}

    /** There is no such row. */
    record Missing() implements VersionUpdate {}
}
