package io.onefold.spring;

import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import org.jspecify.annotations.Nullable;

/**
 * Takes the fingerprint of arguments. It is given their state: objects are maps of their fields, and all that is left are maps, lists,
 * sets, and the scalars that {@link Fingerprinter#value} takes.
 */
@FunctionalInterface
public interface Printer {
    /** All of it counts. */
    Printer STANDARD = value -> Fingerprinter.standard().value(value);

    /**
     * The fingerprint of a value.
     *
     * @throws IllegalArgumentException if there is none of such values
     */
    Fingerprint print(@Nullable Object value);
}
