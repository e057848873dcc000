package io.onefold.jdbc.mechanism;

/** The result of a look-up by {@link SerialNumberLookup}. */
public sealed interface LookupResult<T> {

    /** The request was handled; this is what it left. */
    record Found<T>(T row) implements LookupResult<T> {}

    /** Nothing was there when the database looked. It may be there by now. */
    record NotYet<T>() implements LookupResult<T> {}
}
