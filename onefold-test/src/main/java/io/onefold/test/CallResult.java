package io.onefold.test;

import org.jspecify.annotations.Nullable;

/**
 * The result of one of several equal calls.
 *
 * @param status the status of an HTTP response; 0 if there was none
 * @param value the value that a call returned; the body of an HTTP response
 * @param text the value for people to read
 */
public record CallResult(Kind kind, int status, @Nullable Object value, String text) {

    public enum Kind {
        /** It did the work. */
        RAN,
        /** It got the response to the first call. */
        REPLAYED,
        /** It returned, and does not say whether it did the work. */
        RETURNED,
        /** Somebody else was at work. */
        BUSY,
        /** Its key was used for something else. */
        CONFLICT,
        /** Nobody knows what became of an earlier one. */
        UNKNOWN,
        /** It waited for another call, and was told that it failed. */
        ATTEMPT_FAILED,
        REFUSED,
        /** An exception that Onefold knows nothing of. */
        THREW,
        /** It got no response in time. */
        LATE
    }

    /** Returns true if the call got the result of the work. */
    boolean answered() {
        return kind == Kind.RAN || kind == Kind.REPLAYED || kind == Kind.RETURNED;
    }

    static CallResult threw(Throwable thrown) {
        return new CallResult(Kind.THREW, 0, thrown, thrown.toString());
    }

    static CallResult late() {
        return new CallResult(Kind.LATE, 0, null, "");
    }

    @Override
    public String toString() {
        String start = text.length() <= 120 ? text : text.substring(0, 120) + "...";
        return (status == 0 ? "" : status + " ") + kind + (start.isEmpty() ? "" : "  " + start.replaceAll("\\s+", " "));
    }
}
