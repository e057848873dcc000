package io.onefold.spring;

import io.onefold.NotExecutedException;
import io.onefold.http.Statuses;
import org.jspecify.annotations.Nullable;

/**
 * What a handler that claims for itself says by a status of its own, returned or thrown. It is an answer, and told again; but one that is
 * about the attempt alone (429, say) leaves the key free, and an error of the server's that was thrown is an exception like any other.
 */
interface Said {
    /** What is kept of what was returned, unless its status says that it is no answer to keep. */
    static @Nullable Object kept(@Nullable Object stored) {
        int status = stored instanceof StoredEntity<?> entity ? entity.status() : 200;
        if (Statuses.isNeverStored(status)) {
            throw new Freed(null);
        }
        return stored;
    }

    /** In place of what was thrown; the same, if it has no status or the annotation says what it means. */
    static Throwable thrown(IdempotentMethod method, Throwable thrown) {
        Refusal refusal = isDeclared(method, thrown) ? null : Refusal.of(thrown);
        if (refusal == null || refusal.status() < 400 || refusal.status() >= 500) {
            return thrown;
        }
        return Statuses.isNeverStored(refusal.status()) ? new Freed(thrown) : new Refused(refusal, thrown);
    }

    private static boolean isDeclared(IdempotentMethod method, Throwable thrown) {
        Declared declared = method.declared();
        return declared.retryOn().stream().anyMatch(type -> type.isInstance(thrown))
                || declared.failOn().stream().anyMatch(type -> type.isInstance(thrown));
    }

    /** What is kept of a refusal besides its name; null of other failures. */
    static @Nullable String data(Throwable thrown) {
        return thrown instanceof Refused refused ? refused.refusal.data() : null;
    }

    /** The caller gets its cause, or what was returned. */
    final class Refused extends RuntimeException implements Said {
        private static final long serialVersionUID = 1;

        private final transient Refusal refusal;

        Refused(Refusal refusal, Throwable cause) {
            super("answered " + refusal.status(), cause);
            this.refusal = refusal;
        }
    }

    /** The request may be tried again. */
    final class Freed extends NotExecutedException implements Said {
        private static final long serialVersionUID = 1;

        Freed(@Nullable Throwable cause) {
            super("answered that nothing was done", cause);
        }
    }
}
