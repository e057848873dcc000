package io.onefold.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why a request is answered by Onefold instead of by the application (RFC 9457).
 *
 * @param detail for people; never shows a key or anything that was stored
 */
public record Problem(ProblemType type, int status, String detail) {

    public static Problem of(ProblemType type, String detail) {
        return new Problem(type, type.status, detail);
    }

    /** Each has its own address, which never changes. */
    public enum ProblemType {
        REQUEST_INVALID(400, "The request is not one that is understood"),
        KEY_MISSING(400, "An idempotency key is needed"),
        KEY_INVALID(400, "The idempotency key is not valid"),
        BODY_INVALID(400, "The body could not be read"),
        UNAUTHENTICATED(401, "It is not known who asks"),
        FORBIDDEN(403, "The answer is not for who asks"),
        TOKEN_MISSING(400, "There is no such token"),
        TOKEN_EXPIRED(400, "The token has expired"),
        TOKEN_FOREIGN(403, "The token was issued for something else"),
        FIRST_SENT(412, "The request was sent too long ago"),
        BODY_TOO_LARGE(413, "The body is too large"),
        KEY_REUSED(422, "The idempotency key was used for another request"),
        IN_PROGRESS(409, "The request is being handled", true),
        OUTCOME_UNKNOWN(409, "Nobody knows yet whether the request was carried out"),
        RESULT_NOT_REPLAYABLE(409, "The request was carried out; its answer was not kept"),
        OPERATION_FAILED(409, "The request has failed for good"),
        DUPLICATE(409, "The request was handled before"),
        NOT_FOUND(404, "There is nothing under this address"),
        MISCONFIGURED(500, "The server is not set up right; nothing was carried out"),
        NOT_SUPPORTED(501, "This is not supported"),
        ATTEMPT_FAILED(503, "The request in progress has failed; nothing was carried out for this one", true),
        STORE_UNAVAILABLE(503, "The request could not be recorded, and was not carried out", true),
        OVERLOADED(503, "Too much to do", true),
        UPSTREAM_UNREACHABLE(502, "The service could not be reached; nothing was carried out", true),
        UPSTREAM_SILENT(504, "The service did not answer; nobody knows whether the request was carried out");

        private final int status;
        private final String title;
        private final boolean retryable;

        ProblemType(int status, String title) {
            this(status, title, false);
        }

        ProblemType(int status, String title, boolean retryable) {
            this.status = status;
            this.title = title;
            this.retryable = retryable;
        }

        public String address() {
            return "urn:onefold:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        public int status() {
            return status;
        }

        public String title() {
            return title;
        }

        /** Returns true if the same request may succeed if it is sent again, unchanged. */
        public boolean retryable() {
            return retryable;
        }
    }

    /** Returns true if the same request may succeed if it is sent again, unchanged. */
    boolean retryable() {
        // nothing was wrong with what came too slowly
        return type.retryable || status == 408;
    }

    Problem withStatus(@Nullable Integer other) {
        return other == null ? this : new Problem(type, other, detail);
    }
}
