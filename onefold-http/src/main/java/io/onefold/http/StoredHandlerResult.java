package io.onefold.http;

import org.jspecify.annotations.Nullable;

/**
 * The end of a request that its handler has claimed, as it is kept: the value that the handler returned, or the response that was made of
 * it. The value stands for the response until that is rendered, and wherever somebody has settled the request by naming a value.
 *
 * @param form which of the two it is: {@code value}, {@code response}, or {@code done} if neither is kept: what the handler returned is not
 *     what it has answered, say, or it has thrown and was committed all the same. Anything else in a record is not such an end
 * @param value null if the response is known, if nothing is kept, or if the handler returned null
 * @param response null if it is not known, or not yet
 */
public record StoredHandlerResult<T>(
        String form, @Nullable T value, @Nullable StoredResponse response) {
    /** Enough for a response of the usual limit, some of whose characters take more room where they are stored. */
    public static final int MAX_BYTES = 2 * (256 << 10) + (64 << 10);

    private static final String VALUE = "value";
    private static final String RESPONSE = "response";
    private static final String DONE = "done";

    /** Checks the components, because data from a store is not trusted. */
    public StoredHandlerResult {
        if (!(VALUE.equals(form) && response == null)
                && !(DONE.equals(form) && response == null && value == null)
                && !(RESPONSE.equals(form) && response != null && value == null)) {
            throw new IllegalArgumentException(
                    "form must be \"value\", \"response\" or \"done\", and match the content");
        }
    }

    public static <T> StoredHandlerResult<T> of(@Nullable T value) {
        return new StoredHandlerResult<>(VALUE, value, null);
    }

    /**
     * Returns the result of a handler that has no value, whose value is not its response, or whose value must not be
     * kept.
     */
    public static <T> StoredHandlerResult<T> done() {
        return new StoredHandlerResult<>(DONE, null, null);
    }

    /** Returns true if neither value nor response is kept: there is nothing to replay. */
    boolean isDone() {
        return DONE.equals(form);
    }

    /** Returns true if the handler can render it again. */
    public boolean hasValue() {
        return VALUE.equals(form);
    }

    /** Returns true if it can be sent to duplicates as it is. */
    public boolean hasAnswer() {
        return response != null && response.whole();
    }

    static <T> StoredHandlerResult<T> rendered(StoredResponse response) {
        return new StoredHandlerResult<>(RESPONSE, null, response);
    }

    /** The status of the response; 0 if it is not known. */
    public int status() {
        return response == null ? 0 : response.status();
    }
}
