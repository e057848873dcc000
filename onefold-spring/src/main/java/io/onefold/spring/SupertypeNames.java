package io.onefold.spring;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Matches types by the names of their supertypes, since the libraries of these may be absent. */
final class SupertypeNames {
    private SupertypeNames() {}

    /** Returns true if the predicate accepts the name of the type or of one of its supertypes. */
    static boolean match(@Nullable Class<?> type, Predicate<String> meant) {
        if (type == null) {
            return false;
        }
        if (meant.test(type.getName()) || match(type.getSuperclass(), meant)) {
            return true;
        }
        for (Class<?> implemented : type.getInterfaces()) {
            if (match(implemented, meant)) {
                return true;
            }
        }
        return false;
    }
}
