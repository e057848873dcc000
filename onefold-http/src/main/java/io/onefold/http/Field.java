package io.onefold.http;

/** A header field. */
public record Field(String name, String value) {}
