package io.onefold.spring;

import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import org.jspecify.annotations.Nullable;

/** Takes the fingerprint of arguments. */
@FunctionalInterface
public interface Printer {
    /** Of what {@link Fingerprinter#value} takes: texts, numbers, dates, records, enums, lists and maps. */
    Printer STANDARD = value -> Fingerprinter.standard().value(value);

    /**
     * The fingerprint of a value.
     *
     * @throws IllegalArgumentException if there is none of such values
     */
    Fingerprint print(@Nullable Object value);
}
