package io.onefold.payload;

import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes results as bytes and reads them back into the declared type, and into no other. A value need not survive that: {@link ResultSerializer}
 * reads each one back before it is kept, and keeps only those that come back as they were. {@code CodecContract} in
 * onefold-store-contract has the tests for a codec of your own.
 */
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

    /**
     * Lists the parts of the type that are known not to be read back unchanged, or likely not to be. Each is a sentence
     * that begins with its path. They are reported when an operation is declared. Each result is also checked for
     * actual losses; a result that loses something is not kept.
     */
    default List<String> losses(Type type) {
        return List.of();
    }

    /**
     * Returns true if values of this class consist of nothing but their written form, like a tree of JSON nodes. Two of
     * them are the same if they are written alike. The state of all other values is compared.
     */
    default boolean isTree(Class<?> type) {
        return false;
    }

    /** Returns true if a value of the type can never change, so that one may be given to many callers. */
    default boolean isImmutable(Type type) {
        return false;
    }
}
