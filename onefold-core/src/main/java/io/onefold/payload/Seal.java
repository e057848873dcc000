package io.onefold.payload;

/** Protects stored results against whoever can write to the store, or also against whoever can read it. */
public interface Seal {

    /** The id of the key that {@link #seal} uses now, stored with each result. */
    String keyId();

    byte[] seal(byte[] plain, byte[] associated);

    /**
     * The plain bytes again.
     *
     * @throws UnreadableResultException if the key is unknown, or if bytes or associated data are not those that were
     *     sealed
     */
    byte[] open(String keyId, byte[] sealed, byte[] associated);
}
