package io.onefold.store;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored result, failure or note, opaque to every store.
 *
 * @param codec the id of the codec that wrote the bytes
 * @param version the format version of that codec
 * @param keyId the key that seals the bytes, or null when they are not sealed
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString are by content
public record Payload(
        Kind kind, String codec, int version, @Nullable String keyId, byte[] bytes) {

    public enum Kind {
        /** The work returned null or nothing. */
        NOTHING,
        VALUE,
        /** The work is done, but its result was too large or could not be written. */
        NOT_KEPT,
        FAILURE,
        NOTE
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payload that
                && kind == that.kind
                && codec.equals(that.codec)
                && version == that.version
                && Objects.equals(keyId, that.keyId)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, codec, version, keyId, Arrays.hashCode(bytes));
    }

    /** Everything but the content, which may be personal or secret. */
    @Override
    public String toString() {
        return "Payload[" + kind + ", " + codec + " v" + version + ", key " + keyId + ", " + bytes.length + " bytes]";
    }
}
