package io.onefold.jdbc;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names of tables and columns that configuration may choose. Whatever else a statement needs is bound, never written into it. */
final class SqlIdentifier {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    /** Shorter: the names of indexes are made of it, and what databases cut off would be the same for all of them. */
    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,57}");

    private SqlIdentifier() {}

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
                ? TABLE.matcher(name).matches()
                : PLAIN.matcher(name.substring(0, dot)).matches()
                        && TABLE.matcher(name.substring(dot + 1)).matches();
        if (!plain) {
            throw new IllegalArgumentException(
                    "table name \"" + name + "\" must match " + TABLE + ", with one schema before it at most");
        }
        if (name.substring(dot + 1).toLowerCase(Locale.ROOT).startsWith("onefold_")) {
            throw new IllegalArgumentException("table name \"" + name + "\" begins like Onefold's own: onefold_");
        }
        return name;
    }
}
