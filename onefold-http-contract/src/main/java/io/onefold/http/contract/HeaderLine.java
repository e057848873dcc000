package io.onefold.http.contract;

/** A header line. */
public record HeaderLine(String name, String value) {}
