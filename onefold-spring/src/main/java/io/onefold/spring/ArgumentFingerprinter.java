package io.onefold.spring;

import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import org.jspecify.annotations.Nullable;

/**
 * Takes the fingerprint of arguments. It gets their state: objects are maps of their fields, and everything else is a map, a list, a set or
 * a scalar that {@link Fingerprinter#value} takes.
 */
@FunctionalInterface
public interface ArgumentFingerprinter {
    /** Counts the whole state. */
    ArgumentFingerprinter STANDARD = value -> Fingerprinter.standard().value(value);

    /**
     * Takes the fingerprint of a value.
     *
     * @throws IllegalArgumentException if such values have no fingerprint
     */
    Fingerprint print(@Nullable Object value);
}
