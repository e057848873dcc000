package io.onefold.payload;

/**
 * A result that does not read back as itself: it can be written, but what is read of it is another value, or cannot be read at all. It
 * differs from other reasons why a result is not kept in that somebody who has the result in another form may keep that one. Messages
 * name types and properties, never content.
 */
public final class LossyResultException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String change;
    private final String path;

    LossyResultException(String change) {
        this(change, "");
    }

    private LossyResultException(String change, String path) {
        super(path.isEmpty() ? "the result " + change : "\"" + path + "\" " + change);
        this.change = change;
        this.path = path;
    }

    /** The same, of a value that holds this one under the name. */
    LossyResultException within(String step) {
        String separator = path.isEmpty() || path.startsWith("[") ? "" : ".";
        return new LossyResultException(change, step + separator + path);
    }

    /** The property that has changed, such as {@code items[].price}; empty if it is the result itself. */
    public String path() {
        return path;
    }
}
