package io.onefold.spring;

/** The header in which HTTP requests and messages have their keys, unless a method says otherwise. */
public record KeyHeader(String name) {
    /** The header of the IETF's draft. */
    public static final KeyHeader DEFAULT = new KeyHeader("Idempotency-Key");
}
