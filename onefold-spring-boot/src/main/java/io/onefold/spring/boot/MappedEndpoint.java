package io.onefold.spring.boot;

/** What a handler is mapped to. */
record MappedEndpoint(String method, String path) implements Comparable<MappedEndpoint> {
    @Override
    public int compareTo(MappedEndpoint other) {
        int byPath = path.compareTo(other.path);
        return byPath != 0 ? byPath : method.compareTo(other.method);
    }

    /** A path that it matches. */
    String example() {
        return path.replaceAll("\\{[^/]*}|\\*+", "x");
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
