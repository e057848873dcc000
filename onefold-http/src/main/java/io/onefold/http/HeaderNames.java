package io.onefold.http;

/** What names of headers say, in any case. */
public final class HeaderNames {
    private static final String OWN = "onefold-";

    private HeaderNames() {}

    /** Said by Onefold alone: neither clients nor whoever is behind the door may say it in its name. */
    public static boolean isOurs(String name) {
        return name.regionMatches(true, 0, OWN, 0, OWN.length()) || name.equalsIgnoreCase("Idempotent-Replayed");
    }

    /** Some applications cannot tell a name with underscores from the one with dashes. */
    public static boolean readAlike(String one, String other) {
        return one.replace('_', '-').equalsIgnoreCase(other.replace('_', '-'));
    }
}
