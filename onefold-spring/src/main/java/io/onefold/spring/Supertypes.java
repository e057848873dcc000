package io.onefold.spring;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Types by the names of what they extend and implement, since the libraries that these are of may be absent. */
final class Supertypes {
    private Supertypes() {}

    /** Whether the name of the type, or of one above it, is meant. */
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
