package io.onefold.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Other paths that a service may take a path for: one that decodes it before it looks for slashes, that decodes it twice, that takes two
 * slashes for one, or that follows dots.
 */
final class PathInterpretations {
    private PathInterpretations() {}

    /** Without the path itself; empty for all but a few. */
    static Set<String> of(String path) {
        if (path.indexOf('%') < 0 && path.indexOf('\\') < 0 && !path.contains("//") && !path.contains("/.")) {
            return Set.of();
        }
        String once = decoded(path);
        Set<String> readings = new LinkedHashSet<>();
        readings.add(path.replaceAll("/{2,}", "/"));
        readings.add(resolved(once));
        readings.add(resolved(decoded(once)));
        readings.remove(path);
        return Collections.unmodifiableSet(readings);
    }

    private static String decoded(String path) {
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return path; // a percent sign that begins no escape
        }
    }

    /**
     * Returns the path that this one leads to, in its plain form. It is escaped so that it is not decoded once more.
     */
    private static String resolved(String path) {
        List<String> segments = new ArrayList<>();
        String[] sent = path.replace('\\', '/').split("/", -1);
        for (int i = 0; i < sent.length; i++) {
            int parameters = sent[i].indexOf(';');
            String name = parameters < 0 ? sent[i] : sent[i].substring(0, parameters);
            boolean last = i == sent.length - 1;
            if (name.equals("..") && !segments.isEmpty()) {
                segments.remove(segments.size() - 1);
            }
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                if (last) {
                    segments.add("");
                }
            } else {
                segments.add(name.replace("%", "%25"));
            }
        }
        return "/" + String.join("/", segments);
    }
}
