package io.onefold.jdbc;

/** Ends a step whose server does not answer. Close it when the connection is no longer used for the step. */
interface StepWatchdog extends AutoCloseable {
    @Override
    void close();

    /**
     * Returns true if the server was asked to cancel the step; call it after {@link #close}. A cancelled PostgreSQL ends a commit that
     * waits for a synchronous standby, and reports success: the standby may lack the commit.
     */
    default boolean wasCancelled() {
        return false;
    }
}
