package io.onefold;

/** Passes an exception of the work on to the caller. */
final class ExceptionRethrower {
    private ExceptionRethrower() {}

    /** Returns an exception unchanged, for the caller to throw. An error is thrown here. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the work throws nothing else that is checked
    static <X extends Exception> X as(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (X) thrown;
    }
}
