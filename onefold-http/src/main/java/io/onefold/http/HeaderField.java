package io.onefold.http;

/** A header field. */
public record HeaderField(String name, String value) {}
