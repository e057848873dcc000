package io.onefold.jdbc.mechanism;

/** What became of an insert under a {@link UniqueKey}. */
public sealed interface Insertion<T> {

    /** The one row under the key, whoever inserted it. */
    T row();

    /** This call inserted it. */
    record Inserted<T>(T row) implements Insertion<T> {}

    /** It was there. Whether it says the same as the one that was to be inserted is for you to compare. */
    record Existing<T>(T row) implements Insertion<T> {}
}
