package io.onefold.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response that came from behind the adapter.
 *
 * @param headers all headers; the adapter does not decide which of them are kept
 * @param body empty if it was sent already
 * @param cause the exception that was thrown behind the adapter, for the log; null if there was none, or if it is not
 *     known
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HandlerResponse(
        ExecutionCertainty certainty,
        int status,
        List<HeaderField> headers,
        byte[] body,
        @Nullable Throwable cause) {

    /** A whole answer, held back until it is recorded. */
    public static HandlerResponse of(int status, List<HeaderField> headers, byte[] body) {
        return new HandlerResponse(ExecutionCertainty.ANSWERED, status, headers, body, null);
    }

    /** An answer that was too long to be held back, or a stream: it went out already. */
    public static HandlerResponse sent(int status, List<HeaderField> headers) {
        return new HandlerResponse(ExecutionCertainty.SENT, status, headers, new byte[0], null);
    }

    /** Nothing happened for certain, the same request may be tried again; this goes out. */
    public static HandlerResponse notExecuted(int status, List<HeaderField> headers, byte[] body) {
        return new HandlerResponse(ExecutionCertainty.NOT_EXECUTED, status, headers, body, null);
    }

    /** Nothing was even begun, as whoever stands before the handler knows; this goes out. */
    public static HandlerResponse notBegun(int status, List<HeaderField> headers, byte[] body) {
        return new HandlerResponse(ExecutionCertainty.NOT_BEGUN, status, headers, body, null);
    }

    /** Nobody knows whether it happened; this goes out. */
    public static HandlerResponse unknown(int status, List<HeaderField> headers, byte[] body) {
        return new HandlerResponse(ExecutionCertainty.UNKNOWN, status, headers, body, null);
    }

    /** The same, with what was thrown: where the outcome is unknown, the log says why. */
    public HandlerResponse because(Throwable thrown) {
        return new HandlerResponse(certainty, status, headers, body, thrown);
    }

    /** A whole answer that is kept, whatever its status means otherwise. */
    static HandlerResponse last(int status, List<HeaderField> headers, byte[] body) {
        return new HandlerResponse(ExecutionCertainty.LAST, status, headers, body, null);
    }

    /** The adapter's knowledge of the execution, beyond the status. */
    public enum ExecutionCertainty {
        ANSWERED,
        LAST,
        SENT,
        NOT_EXECUTED,
        NOT_BEGUN,
        UNKNOWN
    }
}
