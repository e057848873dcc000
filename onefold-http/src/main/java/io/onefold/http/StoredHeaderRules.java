package io.onefold.http;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Rules for the headers of a response that are kept and replayed: those that belong to the result, and those that the
 * policy names. A header that belongs to one connection, one caller or one moment is never kept, even if the policy
 * names it.
 */
public final class StoredHeaderRules {
    private static final Set<String> USUAL = Set.of(
            "content-type",
            "content-language",
            "content-disposition",
            "content-location",
            "location",
            "etag",
            "last-modified",
            "link");

    private static final Set<String> NEVER = Set.of(
            "cookie",
            "authorization",
            "www-authenticate",
            "authentication-info",
            "content-length",
            "content-encoding",
            "date",
            "age",
            "expires",
            "via",
            "server",
            "server-timing",
            "alt-svc",
            "retry-after",
            "traceparent",
            "tracestate",
            "b3",
            "x-request-id",
            "x-correlation-id",
            "request-id",
            "strict-transport-security",
            "idempotent-replayed");

    private static final List<String> NEVER_BEGINNING =
            List.of("set-cookie", "proxy-", "ratelimit", "x-ratelimit", "access-control-", "x-b3-", "onefold-");

    private StoredHeaderRules() {}

    /** Refuses names that are never kept. */
    static void check(Set<String> names) {
        for (String name : names) {
            if (never(name)) {
                throw new IllegalArgumentException(
                        "header " + name + " is never stored: it belongs to a connection, a caller or a moment");
            }
        }
    }

    public static List<HeaderField> kept(List<HeaderField> all, Set<String> alsoKept) {
        Set<String> named = namedByConnection(all);
        List<HeaderField> kept = new ArrayList<>();
        for (HeaderField field : all) {
            String name = field.name().toLowerCase(Locale.ROOT);
            boolean wanted = USUAL.contains(name) || alsoKept.contains(name);
            if (wanted && !never(name) && !named.contains(name) && sendable(field)) {
                kept.add(field);
            }
        }
        return kept;
    }

    /**
     * Returns true if a header from the store may be sent. All headers that are kept may be, unless somebody else has
     * written them into the store.
     */
    static boolean replayable(HeaderField field) {
        return sendable(field) && !never(field.name().toLowerCase(Locale.ROOT));
    }

    /**
     * Returns the headers for the first caller: all except those of the connection and those that only Onefold may set.
     */
    static List<HeaderField> passed(List<HeaderField> all, ReplayHeader marker) {
        Set<String> named = namedByConnection(all);
        List<HeaderField> passed = new ArrayList<>();
        for (HeaderField field : all) {
            String name = field.name().toLowerCase(Locale.ROOT);
            boolean ofConnection =
                    HeaderNames.isHopByHop(name) || name.equals("content-length") || named.contains(name);
            if (!ofConnection && !HeaderNames.isOurs(name) && !marker.is(name)) {
                passed.add(field);
            }
        }
        return passed;
    }

    /** A value that would begin another line is never stored, and never sent if somebody else has stored it. */
    private static boolean sendable(HeaderField field) {
        return CharacterRules.all(field.name(), c -> ParameterizedHeader.isTokenPart((char) c))
                && !field.name().isEmpty()
                && CharacterRules.all(field.value(), c -> c == '\t' || (c >= ' ' && c != 0x7F && c <= 0xFF));
    }

    /** Returns true if it is about a result, a connection, a caller or a moment. */
    static boolean hasMeaning(String lowerCase) {
        return USUAL.contains(lowerCase) || never(lowerCase);
    }

    private static boolean never(String name) {
        if (NEVER.contains(name) || HeaderNames.isHopByHop(name)) {
            return true;
        }
        for (String beginning : NEVER_BEGINNING) {
            if (name.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> namedByConnection(List<HeaderField> all) {
        Set<String> named = Set.of();
        for (HeaderField field : all) {
            if (field.name().equalsIgnoreCase("connection")) {
                named = new HashSet<>(named);
                for (String name : field.value().split(",", -1)) {
                    named.add(name.strip().toLowerCase(Locale.ROOT));
                }
            }
        }
        return named;
    }
}
