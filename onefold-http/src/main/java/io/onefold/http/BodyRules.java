package io.onefold.http;

/** How much of a body is taken, and what of it counts. */
public final class BodyRules {
    private BodyRules() {}
}
