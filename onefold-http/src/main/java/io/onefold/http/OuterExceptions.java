package io.onefold.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions that filters before Onefold's translate into answers, as Spring Security's do. They pass through Onefold's filter, so that
 * the client hears what it would hear without a key. The answer is made outside, and so it is not kept: the key is free if the handler had
 * not begun, and the outcome is unknown otherwise. {@link HttpPolicy#retryOn} and {@link HttpPolicy#failOn} go before: what they name is free, or is
 * rendered and kept.
 */
public record OuterExceptions(List<Class<? extends Throwable>> types) {
    /** No exception passes. */
    public static final OuterExceptions NONE = new OuterExceptions(List.of());

    private static final int MAX_DEPTH = 100;

    public OuterExceptions {
        types = List.copyOf(types);
    }

    /** The exception itself or the first of its causes that is one of them; null if none is. */
    public @Nullable Throwable find(Throwable thrown) {
        Throwable cause = thrown;
        // causes may form a circle
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            Throwable one = cause;
            if (types.stream().anyMatch(type -> type.isInstance(one))) {
                return one;
            }
            cause = one.getCause();
        }
        return null;
    }
}
