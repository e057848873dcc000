package io.onefold.http;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Responses without an end: server-sent events. */
public final class EventStreamType {
    private static final String TYPE = "text/event-stream";
    private static final Pattern REFUSED = Pattern.compile("q=0(\\.0*)?");

    private EventStreamType() {}

    /** Returns true if a response of this type is a stream of events. */
    public static boolean is(@Nullable String contentType) {
        return contentType != null && contentType.strip().regionMatches(true, 0, TYPE, 0, TYPE.length());
    }

    /** Returns true if the client accepts only streams of events. A client that accepts another type as well may be given that. */
    static boolean asked(RequestHead head) {
        String accepted = String.join(",", head.headers("Accept")).toLowerCase(Locale.ROOT);
        if (!accepted.contains(TYPE)) {
            return false;
        }
        boolean asked = false;
        for (String range : accepted.split(",", -1)) {
            List<String> words =
                    List.of(range.split(";", -1)).stream().map(String::strip).toList();
            boolean refused =
                    words.stream().anyMatch(word -> REFUSED.matcher(word).matches());
            if (!words.get(0).isEmpty() && !refused) {
                if (!words.get(0).equals(TYPE)) {
                    return false;
                }
                asked = true;
            }
        }
        return asked;
    }
}
