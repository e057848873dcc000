package io.onefold.http;

import java.util.Set;

/** Classifies headers by their names, in any case. */
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

    /** Returns true if only Onefold may set this header, whatever the contract; see {@link HttpContract#isOurs}. */
    static boolean isOurs(String name) {
        return name.regionMatches(true, 0, OWN, 0, OWN.length()) || name.equalsIgnoreCase(ReplayHeader.USUAL);
    }

    /**
     * Returns true if the header concerns one connection and means nothing on the next (RFC 9110, 7.6.1). So do those that {@code
     * Connection}
     * names.
     *
     * @param lowerCase its name
     */
    public static boolean isHopByHop(String lowerCase) {
        return HOP_BY_HOP.contains(lowerCase);
    }

    /** Returns true if an application may confuse the two names: some cannot tell underscores from dashes. */
    public static boolean readAlike(String one, String other) {
        return one.replace('_', '-').equalsIgnoreCase(other.replace('_', '-'));
    }
}
