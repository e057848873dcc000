package io.onefold;

import java.util.List;

/** The key was used before with another payload. */
public final class ConflictException extends OnefoldException {
    private static final long serialVersionUID = 1;

    private final transient List<String> fields;

    ConflictException(List<String> fields) {
        super("the key was used with another payload"
                + (fields.isEmpty() ? "" : "; different: " + String.join(", ", fields)));
        this.fields = fields;
    }

    /** The fields that differ, were added or are missing; empty where they were not recorded. */
    public List<String> fields() {
        return fields;
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.Conflict<>(fields);
    }
}
