package io.onefold;

/** What the work threw, on its way to the caller. */
final class ExceptionRethrower {
    private ExceptionRethrower() {}

    /** To be thrown as it is: an error here, an exception by whoever asks. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the work throws nothing else that is checked
    static <X extends Exception> X as(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (X) thrown;
    }
}
