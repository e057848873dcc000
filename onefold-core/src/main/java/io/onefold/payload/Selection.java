package io.onefold.payload;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which members count, as a tree of names. Elements of arrays are looked through. */
final class Selection {

    static final Selection ALL = new Selection(true, Map.of());
    static final Selection NONE = new Selection(false, Map.of());

    private final boolean whole;
    private final Map<String, Selection> named;

    private Selection(boolean whole, Map<String, Selection> named) {
        this.whole = whole;
        this.named = named;
    }

    static Selection of(Set<String> only, Set<String> ignoring) {
        return build(only.isEmpty() ? null : only, ignoring);
    }

    /** {@code only} is null where everything counts that is not ignored; an empty path stands for the node itself. */
    private static Selection build(@Nullable Set<String> only, Set<String> ignoring) {
        if (ignoring.contains("") || (only != null && only.isEmpty())) {
            return NONE;
        }
        Set<String> open = only == null || only.contains("") ? null : only;
        Map<String, Selection> named = new TreeMap<>();
        Set<String> paths = new LinkedHashSet<>(ignoring);
        paths.addAll(open == null ? Set.of() : open);
        for (String path : paths) {
            String head = head(path);
            named.computeIfAbsent(head, name -> build(open == null ? null : tails(open, name), tails(ignoring, name)));
        }
        return named.isEmpty() ? ALL : new Selection(open == null, named);
    }

    private static String head(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }

    private static Set<String> tails(Set<String> paths, String head) {
        Set<String> tails = new LinkedHashSet<>();
        for (String path : paths) {
            if (path.equals(head)) {
                tails.add("");
            } else if (path.startsWith(head + ".")) {
                tails.add(path.substring(head.length() + 1));
            }
        }
        return tails;
    }

    /** What counts inside the member; a dot in its name reads like a step down. */
    Selection enter(String name) {
        if (named.isEmpty()) {
            return this;
        }
        int dot = name.indexOf('.');
        if (dot >= 0) {
            return enter(name.substring(0, dot)).enter(name.substring(dot + 1));
        }
        Selection found = named.get(name);
        return found != null ? found : whole ? ALL : NONE;
    }

    /** Whether members count that no path names. */
    boolean isWhole() {
        return whole;
    }
}
