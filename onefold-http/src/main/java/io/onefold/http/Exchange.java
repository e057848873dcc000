package io.onefold.http;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request that is protected. The door reads its body into {@link #spool()}, then lets it {@link #run}, and sends the answer. It must
 * be closed when the answer was sent or nothing is to be answered any more.
 */
public final class Exchange implements Plan, AutoCloseable {
    Exchange() {}

    /** Where the door writes the body to, as it comes. */
    public Spool spool() {
        throw new UnsupportedOperationException();
    }

    /**
     * To be called after the last byte of the body. On the executor of the Onefold, claims; then handles the request if it is the
     * first, and records what became of it. The answer is never exceptional.
     */
    public CompletableFuture<Answer> run(Handling handling) {
        throw new UnsupportedOperationException();
    }

    /** As {@link #run}, beginning on the caller's thread: unless there is something to wait for, all is done when this returns. */
    public CompletableFuture<Answer> runHere(Handling handling) {
        throw new UnsupportedOperationException();
    }

    /** What to answer to a body that was refused while it was read. */
    public Answer refused(RejectedException rejection) {
        throw new UnsupportedOperationException();
    }

    /** The field to send on to whoever is behind the door instead of the one that came; null for none. */
    public @Nullable Field forwarded(io.onefold.Attempt attempt) {
        throw new UnsupportedOperationException();
    }

    /** How many bytes of an answer are held back and kept; a longer one goes out at once, and is not replayed. */
    public int maxHeld() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
