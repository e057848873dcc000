package io.onefold.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The scripts of a store. */
record StoreScripts(
        LuaScript claims,
        LuaScript marks,
        LuaScript take,
        LuaScript look,
        LuaScript changes,
        LuaScript mirror,
        LuaScript find,
        LuaScript await,
        LuaScript strip) {
    /** Those that judge the life of the data before anything else. */
    private static final Set<String> JUDGING = Set.of("claims", "take", "look");

    /** Those that make fences, and need {@code fence.lua}. */
    private static final Set<String> RAISING = Set.of("claims", "take", "changes");

    static final StoreScripts OWN = of(StoreScripts::own);

    static LuaScript own(String name) {
        List<String> files = new ArrayList<>();
        if (JUDGING.contains(name)) {
            files.add("life");
        }
        if (RAISING.contains(name)) {
            files.add("fence");
        }
        files.add(name);
        return LuaScript.named(files.toArray(String[]::new));
    }

    /** The same scripts, each changed by this function. */
    StoreScripts changed(UnaryOperator<LuaScript> change) {
        return new StoreScripts(
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

    static StoreScripts of(Function<String, LuaScript> named) {
        return new StoreScripts(
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
