package io.onefold.redis;

import java.util.function.Function;

/** The scripts of a store. */
record Scripts(Script claim, Script take, Script change, Script mirror, Script find, Script await, Script strip) {
    static final Scripts OWN = of(Script::named);

    static Scripts of(Function<String, Script> named) {
        return new Scripts(
                named.apply("claim"),
                named.apply("take"),
                named.apply("change"),
                named.apply("mirror"),
                named.apply("find"),
                named.apply("await"),
                named.apply("strip"));
    }
}
