package io.onefold.payload;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Writes results as bytes and reads them back into the declared type, and into no other. */
public interface Codec {

    /** {@code [a-z0-9-]{1,16}}, stored with each result. Only codecs that were configured are ever asked to read. */
    String id();

    /** The format version written now, from 1. Older ones must stay readable. */
    int version();

    /**
     * Called when an operation is declared, so that a result nobody can store is noticed before anything ran.
     *
     * @throws IllegalArgumentException naming the (nested) type that cannot be carried and its path
     */
    void check(Type type);

    byte[] encode(@Nullable Object value, Type type);

    /**
     * Reads what {@link #encode} of this or an older version wrote.
     *
     * @throws IllegalArgumentException if the bytes do not hold a value of the type; without their content in the
     *     message
     */
    @Nullable
    Object decode(byte[] bytes, Type type, int version);

    /** Whether a value of the type can never change, so that one may be given to many callers. */
    default boolean isImmutable(Type type) {
        return false;
    }
}
