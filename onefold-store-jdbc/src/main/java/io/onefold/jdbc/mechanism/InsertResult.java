package io.onefold.jdbc.mechanism;

/** The outcome of an insert under a {@link UniqueKeyInsert}. */
public sealed interface InsertResult<T> {

    /** Returns the one row under the key, no matter which call inserted it. */
    T row();

    /** This call inserted it. */
    record Inserted<T>(T row) implements InsertResult<T> {}

    /** The row was there before. You have to compare whether it says the same as the one that was to be inserted. */
    record Existing<T>(T row) implements InsertResult<T> {}
}
