package io.onefold.store;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored result, failure or note, opaque to every store.
 *
 * @param codec id of the codec that wrote the bytes
 * @param version format version of that codec
 * @param keyId the key that sealed the bytes, or null where they are not sealed
 */
public record ResultPayload(
        Kind kind, String codec, int version, @Nullable String keyId, byte[] bytes) {

    public enum Kind {
        /** The result was null or void. */
        NOTHING,
        VALUE,
        /** Done, but the body was too large or could not be written. */
        NOT_KEPT,
        FAILURE,
        /** Why a record went unknown. */
        NOTE
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ResultPayload that
                && kind == that.kind
                && version == that.version
                && codec.equals(that.codec)
                && Objects.equals(keyId, that.keyId)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * Objects.hash(kind, codec, version, keyId) + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return kind + "[" + codec + " v" + version + (keyId == null ? "" : ", key " + keyId) + ", " + bytes.length
                + " bytes]";
    }
}
