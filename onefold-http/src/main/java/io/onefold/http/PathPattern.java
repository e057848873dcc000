package io.onefold.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A path with places that match any one segment, and perhaps an end that matches any number of them. */
final class PathPattern {
    private final String text;
    private final List<String> segments;
    private final List<String> plain;

    PathPattern(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("route \"" + text + "\" must begin with /");
        }
        this.text = text;
        this.segments = List.of(text.substring(1).split("/", -1));
        for (int i = 0; i < segments.size(); i++) {
            check(segments.get(i), i == segments.size() - 1);
        }
        this.plain = segments.stream().map(PathPattern::plain).toList();
    }

    private void check(String segment, boolean last) {
        boolean place = segment.startsWith("{") && segment.endsWith("}") && segment.length() > 2;
        boolean rest = segment.equals("**");
        if (rest ? !last : !place && (segment.contains("*") || segment.contains("{") || segment.contains("}"))) {
            throw new IllegalArgumentException("route \"" + text + "\": segment \"" + segment
                    + "\" must be a text, a name in braces, or ** at the end");
        }
    }

    /**
     * Returns true if services treat the path as this one. Letters may be escaped, and segments may have parameters
     * after a semicolon.
     *
     * @param path as it was sent; an escape is not a slash
     */
    boolean matches(String path) {
        return matches(new SentPath(path));
    }

    boolean matches(SentPath sent) {
        return matches(sent, segments.size(), sent.raw.length, false);
    }

    /** Returns true if some services treat the path as this one. */
    boolean resembles(SentPath sent, boolean anySlash, boolean anyCase) {
        int own = segments.size();
        int others = sent.raw.length;
        return anySlash
                ? matches(sent, lastEmpty(plain) ? own - 1 : own, lastEmpty(sent.plain) ? others - 1 : others, anyCase)
                : anyCase && matches(sent, own, others, true);
    }

    private static boolean lastEmpty(List<String> segments) {
        return segments.get(segments.size() - 1).isEmpty();
    }

    /** Returns true if it is a single path, without placeholders. */
    boolean isOnePath() {
        return segments.stream().noneMatch(segment -> segment.startsWith("{") || segment.equals("**"));
    }

    private boolean matches(SentPath sent, int own, int others, boolean anyCase) {
        if (!sent.rooted) {
            return false;
        }
        for (int i = 0; i < own; i++) {
            String segment = segments.get(i);
            if (segment.equals("**")) {
                return true;
            }
            if (i >= others) {
                return false;
            }
            String plainly = sent.plain.get(i);
            boolean same = segment.startsWith("{")
                    ? !sent.raw[i].isEmpty()
                    : plain.get(i).equals(plainly) || (anyCase && plain.get(i).equalsIgnoreCase(plainly));
            if (!same) {
                return false;
            }
        }
        return others == own;
    }

    /** A path that was sent, in its segments. */
    static final class SentPath {
        private final boolean rooted;
        private final String[] raw;
        private final List<String> plain;

        SentPath(String path) {
            this.rooted = path.startsWith("/");
            this.raw = rooted ? path.substring(1).split("/", -1) : new String[] {path};
            this.plain = Arrays.stream(raw).map(PathPattern::plain).toList();
        }
    }

    private static String plain(String segment) {
        int parameters = segment.indexOf(';');
        String name = parameters < 0 ? segment : segment.substring(0, parameters);
        if (name.indexOf('%') < 0) {
            return name;
        }
        try {
            return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // not an escape after all
            return name;
        }
    }

    /** Returns the text for the name of an operation. */
    String name() {
        return text.replace("**", "...");
    }
}
