package io.onefold.payload;

import java.util.Set;
import java.util.TreeMap;

/** The members that count, as a tree of names. The elements of an array are treated like the array itself. */
final class FieldSelection {

    private static final FieldSelection ALL = new FieldSelection(true);
    private static final FieldSelection NONE = new FieldSelection(false);

    private final TreeMap<String, FieldSelection> named = new TreeMap<>();
    private boolean whole;

    private FieldSelection(boolean whole) {
        this.whole = whole;
    }

    static FieldSelection of(Set<String> only, Set<String> ignoring) {
        FieldSelection root = new FieldSelection(only.isEmpty());
        only.forEach(path -> root.mark(path, true));
        ignoring.forEach(path -> root.mark(path, false));
        return root;
    }

    private void mark(String path, boolean counts) {
        FieldSelection node = this;
        for (String step : path.split("\\.", -1)) {
            boolean inherited = node.whole;
            if (!counts && !inherited && !node.named.containsKey(step)) {
                return;
            }
            node = node.named.computeIfAbsent(step, name -> new FieldSelection(inherited));
        }
        node.whole = counts;
        node.named.clear();
    }

    /** Returns the selection inside the member. A dot in its name reads like a step down. */
    FieldSelection enter(String name) {
        if (named.isEmpty()) {
            return this;
        }
        int dot = name.indexOf('.');
        if (dot >= 0) {
            return enter(name.substring(0, dot)).enter(name.substring(dot + 1));
        }
        FieldSelection found = named.get(name);
        return found != null ? found : whole ? ALL : NONE;
    }

    /** Returns true if members count that no path names. */
    boolean isWhole() {
        return whole;
    }

    boolean isNone() {
        return !whole && named.isEmpty();
    }
}
