package io.onefold.http;

/** Where a key may stand in a request. */
public final class KeySource {
    private KeySource() {}

    /** {@code header:NAME}, {@code query:NAME}, {@code form:NAME} or {@code json:$.PATH}. */
    public static KeySource parse(String text) {
        throw new UnsupportedOperationException(text);
    }
}
