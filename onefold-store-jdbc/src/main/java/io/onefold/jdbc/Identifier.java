package io.onefold.jdbc;

import java.util.regex.Pattern;

/** Names of tables and columns that configuration may choose. Whatever else a statement needs is bound, never written into it. */
final class Identifier {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private Identifier() {}

    static String column(String name) {
        if (!PLAIN.matcher(name).matches()) {
            throw new IllegalArgumentException("column name \"" + name + "\" must match " + PLAIN);
        }
        return name;
    }

    /** With one optional schema before it. */
    static String table(String name) {
        int dot = name.indexOf('.');
        boolean plain = dot < 0
                ? PLAIN.matcher(name).matches()
                : PLAIN.matcher(name.substring(0, dot)).matches()
                        && PLAIN.matcher(name.substring(dot + 1)).matches();
        if (!plain) {
            throw new IllegalArgumentException(
                    "table name \"" + name + "\" must match " + PLAIN + ", with one such schema before it at most");
        }
        return name;
    }
}
