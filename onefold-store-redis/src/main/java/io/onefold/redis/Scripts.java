package io.onefold.redis;

import java.util.function.Function;

/** The scripts of a store. */
record Scripts(
        Script claims,
        Script marks,
        Script take,
        Script changes,
        Script mirror,
        Script find,
        Script await,
        Script strip) {
    static final Scripts OWN = of(Script::named);

    static Scripts of(Function<String, Script> named) {
        return new Scripts(
                named.apply("claims"),
                named.apply("marks"),
                named.apply("take"),
                named.apply("changes"),
                named.apply("mirror"),
                named.apply("find"),
                named.apply("await"),
                named.apply("strip"));
    }
}
