package io.onefold.payload;

/**
 * JSON or form text that is not well-formed or goes beyond a limit. The message tells where and why, never what stood
 * there.
 */
public final class MalformedPayloadException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int offset;

    MalformedPayloadException(String problem, int offset) {
        super(problem + " at offset " + offset);
        this.offset = offset;
    }

    static void checkSize(int bytes, int maxBytes) {
        if (bytes > maxBytes) {
            throw new MalformedPayloadException(bytes + " bytes exceed the limit of " + maxBytes, maxBytes);
        }
    }

    /** Returns the position of the problem, counted in characters (malformed UTF-8: in bytes). */
    public int offset() {
        return offset;
    }
}
