package io.onefold.jdbc;

/** Ends a step on a connection whose server does not answer. To be closed when the connection is no longer used for the step. */
interface StepGuard extends AutoCloseable {
    @Override
    void close();

    /**
     * Whether the server was asked to cancel the step; to be asked after {@link #close}. PostgreSQL then ends a commit that waits for a
     * synchronous standby, and reports success: the standby may lack it.
     */
    default boolean wasCancelled() {
        return false;
    }
}
