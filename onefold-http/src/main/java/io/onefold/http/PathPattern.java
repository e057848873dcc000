package io.onefold.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
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
     * Whether it is a path that applications take for this one: letters may be escaped, and segments may have parameters after a
     * semicolon.
     *
     * @param path as it was sent; an escape is not a slash
     */
    boolean matches(String path) {
        if (!path.startsWith("/")) {
            return false;
        }
        String[] sent = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (segment.equals("**")) {
                return true;
            }
            if (i >= sent.length
                    || (segment.startsWith("{")
                            ? sent[i].isEmpty()
                            : !plain.get(i).equals(plain(sent[i])))) {
                return false;
            }
        }
        return sent.length == segments.size();
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

    /** As part of an operation's name. */
    String name() {
        return text.replace("**", "...");
    }
}
