package io.onefold.http.contract;

/** A header line. */
public record Line(String name, String value) {}
