package io.onefold.jdbc.mechanism;

/** The outcome of an update of a {@link VersionedRow}. */
public sealed interface VersionUpdateResult {

    /** The row was updated and has this version now. */
    record Updated(long version) implements VersionUpdateResult {}

    /** The row has another version, and was not touched. */
    record Stale(long version) implements VersionUpdateResult {}

    /** There is no such row. */
    record VersionedRowMissing() implements VersionUpdateResult {}
}
