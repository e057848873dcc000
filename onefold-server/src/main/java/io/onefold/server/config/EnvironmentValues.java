package io.onefold.server.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values from environment variables, so that secrets need not be in a file: <code>${DB_PASSWORD}</code>. */
final class EnvironmentValues {
    private static final Pattern NAME = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    private EnvironmentValues() {}

    /** Returns true if the text names a variable. The filled-in value may then be secret, and is not shown. */
    static boolean fills(String text) {
        return NAME.matcher(text).find();
    }

    static String fill(String text) {
        return NAME.matcher(text).replaceAll(match -> {
            String value = System.getenv(match.group(1));
            if (value == null) {
                throw new IllegalArgumentException("the environment has no variable " + match.group(1));
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
