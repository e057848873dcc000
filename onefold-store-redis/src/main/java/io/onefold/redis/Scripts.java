package io.onefold.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The scripts of a store. */
record Scripts(
        Script claims,
        Script marks,
        Script take,
        Script look,
        Script changes,
        Script mirror,
        Script find,
        Script await,
        Script strip) {
    /** Those that judge the life of the data before anything else. */
    private static final Set<String> JUDGING = Set.of("claims", "take", "look");

    /** Those that make fences, and need {@code fence.lua}. */
    private static final Set<String> RAISING = Set.of("claims", "take", "changes");

    static final Scripts OWN = of(Scripts::own);

    static Script own(String name) {
        List<String> files = new ArrayList<>();
        if (JUDGING.contains(name)) {
            files.add("life");
        }
        if (RAISING.contains(name)) {
            files.add("fence");
        }
        files.add(name);
        return Script.named(files.toArray(String[]::new));
    }

    /** The same scripts, each changed by this function. */
    Scripts changed(UnaryOperator<Script> change) {
        return new Scripts(
                change.apply(claims),
                change.apply(marks),
                change.apply(take),
                change.apply(look),
                change.apply(changes),
                change.apply(mirror),
                change.apply(find),
                change.apply(await),
                change.apply(strip));
    }

    static Scripts of(Function<String, Script> named) {
        return new Scripts(
                named.apply("claims"),
                named.apply("marks"),
                named.apply("take"),
                named.apply("look"),
                named.apply("changes"),
                named.apply("mirror"),
                named.apply("find"),
                named.apply("await"),
                named.apply("strip"));
    }
}
