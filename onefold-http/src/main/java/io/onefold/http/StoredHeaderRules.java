package io.onefold.http;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which headers of an answer are kept and replayed: those that belong to the result, and those that the policy names. What belongs to
 * one connection, one caller or one moment never is, whoever names it.
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

    /** Those that are kept may be sent, unless somebody else has written them into the store. */
    static boolean replayable(HeaderField field) {
        return sendable(field) && !never(field.name().toLowerCase(Locale.ROOT));
    }

    /** What the first caller gets: all but what concerns the connection or is ours to say. */
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

    /** Whether it is about a result, a connection, a caller or a moment. */
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
