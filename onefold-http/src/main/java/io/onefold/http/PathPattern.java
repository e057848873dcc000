package io.onefold.http;

import java.util.List;

/** A path with places that match any one segment, and perhaps an end that matches any number of them. */
final class PathPattern {
    private final String text;
    private final List<String> segments;

    PathPattern(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("route \"" + text + "\" must begin with /");
        }
        this.text = text;
        this.segments = List.of(text.substring(1).split("/", -1));
        for (int i = 0; i < segments.size(); i++) {
            check(segments.get(i), i == segments.size() - 1);
        }
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
            if (i >= sent.length || (segment.startsWith("{") ? sent[i].isEmpty() : !segment.equals(sent[i]))) {
                return false;
            }
        }
        return sent.length == segments.size();
    }

    /** As part of an operation's name. */
    String name() {
        return text.replace("**", "...");
    }
}
