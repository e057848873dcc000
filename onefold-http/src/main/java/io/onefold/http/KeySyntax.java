package io.onefold.http;

/** What a key may look like. */
public final class KeySyntax {
    private KeySyntax() {}
}
