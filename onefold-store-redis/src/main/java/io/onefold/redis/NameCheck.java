package io.onefold.redis;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/** What callers name things, checked. */
final class NameCheck {
    static final int LONGEST = 255;

    /** A hundred years: Lua counts in doubles, whose microseconds are exact up to the year 2255. */
    static final Duration FOR_EVER = Duration.ofDays(36_500);

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_:.-]{1,64}");

    private NameCheck() {}

    static String prefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "prefix \"" + prefix + "\" must be 1 to 64 letters, digits, and any of _ : . -");
        }
        return prefix;
    }

    /** Neither blank nor endless, and different from all others when it is written down. */
    static String required(String what, String name) {
        if (name.isBlank() || name.length() > LONGEST) {
            throw new IllegalArgumentException(what + " must have 1 to " + LONGEST + " characters and not be blank: \""
                    + (name.length() > LONGEST ? name.substring(0, 32) + "…\", " + name.length() : name + "\""));
        }
        try {
            var unused = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(what + " has half of a surrogate pair: \"" + name + "\"", e);
        }
        return name;
    }

    static long millis(String what, Duration duration) {
        if (duration.compareTo(Duration.ofMillis(1)) < 0 || duration.compareTo(FOR_EVER) > 0) {
            throw new IllegalArgumentException(
                    what + " must be from a millisecond to a hundred years, not " + duration);
        }
        return duration.toMillis();
    }
}
