package io.onefold.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Leaves of a tree what counts. As in {@link io.onefold.payload.Fingerprinter}, paths look through arrays, and a dot in a name reads
 * like a step down. Nothing is looked into that no path leads into, so names cannot add up to long paths.
 */
final class FieldPruner {
    private final BodyRules rules;
    private boolean found;

    FieldPruner(BodyRules rules) {
        this.rules = rules;
        this.found = rules.only.isEmpty();
    }

    @Nullable
    Object prune(@Nullable Object tree) throws ProblemException {
        Object pruned = rules.only.isEmpty() && rules.ignoring.isEmpty() ? tree : value("", tree);
        check();
        return pruned;
    }

    /** Returns true if a part of this name counts. */
    boolean keeps(String name) {
        boolean kept = !isLeftOut(name);
        found |= kept;
        return kept;
    }

    private @Nullable Object value(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            Map<String, @Nullable Object> left = new LinkedHashMap<>();
            members.forEach((name, member) -> {
                String inside = path.isEmpty() ? (String) name : path + "." + name;
                if (isEntered(inside)) {
                    found |= covers(rules.only, inside);
                    left.put((String) name, value(inside, member));
                } else if (!isLeftOut(inside)) {
                    found = true;
                    left.put((String) name, member);
                }
            });
            return left;
        }
        if (value instanceof List<?> elements) {
            List<@Nullable Object> left = new ArrayList<>();
            elements.forEach(element -> left.add(value(path, element)));
            return left;
        }
        found = true;
        return value;
    }

    /** Returns true if a rule leads to something below this path. */
    private boolean isEntered(String path) {
        return leads(rules.only, path) || (leads(rules.ignoring, path) && !isLeftOut(path));
    }

    private static boolean leads(List<String> paths, String path) {
        return paths.stream().anyMatch(each -> each.length() > path.length() && each.startsWith(path + "."));
    }

    private boolean isLeftOut(String path) {
        boolean selected = rules.only.isEmpty() || covers(rules.only, path) || leads(rules.only, path);
        return !selected || covers(rules.ignoring, path);
    }

    private static boolean covers(List<String> paths, String path) {
        return paths.stream().anyMatch(each -> path.equals(each) || path.startsWith(each + "."));
    }

    /** Rejects a body in which no field counts. Call this after the whole body was looked at. */
    void check() throws ProblemException {
        if (!found) {
            throw new ProblemException(
                    Problem.ProblemType.BODY_INVALID, "The body has none of " + String.join(", ", rules.only));
        }
    }
}
