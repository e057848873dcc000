package io.onefold.http;

import java.util.Set;

/** What names of headers say, in any case. */
public final class HeaderNames {
    private static final String OWN = "onefold-";

    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private HeaderNames() {}

    /** Said by Onefold alone, whatever the contract; see {@link HttpContract#isOurs}. */
    static boolean isOurs(String name) {
        return name.regionMatches(true, 0, OWN, 0, OWN.length()) || name.equalsIgnoreCase(ReplayMarker.USUAL);
    }

    /**
     * Whether it is about one connection and means nothing on the next (RFC 9110, 7.6.1); so are those that {@code Connection} names.
     *
     * @param lowerCase its name
     */
    public static boolean isHopByHop(String lowerCase) {
        return HOP_BY_HOP.contains(lowerCase);
    }

    /** Some applications cannot tell a name with underscores from the one with dashes. */
    public static boolean readAlike(String one, String other) {
        return one.replace('_', '-').equalsIgnoreCase(other.replace('_', '-'));
    }
}
