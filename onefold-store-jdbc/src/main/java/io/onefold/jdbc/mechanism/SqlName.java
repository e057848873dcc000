package io.onefold.jdbc.mechanism;

import java.util.List;
import java.util.regex.Pattern;

/** The checked name of a column, or of a table with its schema. */
record SqlName(List<String> parts) {
    private static final Pattern PART = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    static SqlName column(String name) {
        return checked(name, List.of(name), "column");
    }

    static SqlName table(String name) {
        List<String> parts = List.of(name.split("\\.", -1));
        if (parts.size() > 2) {
            throw new IllegalArgumentException("a table has at most one schema before its name: " + name);
        }
        return checked(name, parts, "table");
    }

    boolean is(SqlName other) {
        return toString().equalsIgnoreCase(other.toString());
    }

    private static SqlName checked(String name, List<String> parts, String kind) {
        for (String part : parts) {
            if (!PART.matcher(part).matches()) {
                throw new IllegalArgumentException("not the name of a " + kind + ": " + name
                        + " (letters, digits and underscores," + " not a digit first, at most 63)");
            }
        }
        return new SqlName(parts);
    }

    @Override
    public String toString() {
        return String.join(".", parts);
    }
}
