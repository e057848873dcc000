package io.onefold;

import java.time.Duration;

/**
 * Tokens that allow one execution of an operation to one user, for those who cannot make keys: forms above all. The claim is the
 * consumption: a token is asked for only when no record stands under it yet, and removed once one does, so that a crash in between
 * can still be retried and replayed.
 */
public interface TokenStore {

    /** A new token, unguessable and good for this operation and user alone. */
    String issue(String operation, String user);

    TokenCheck check(String token, String operation, String user);

    /** Removes a token that was used. Failing to costs nothing: its record answers from now on. */
    void remove(String token);

    /** Returns how long a token lives. Operations that use tokens keep their records at least as long. */
    Duration life();

    /** The result of checking a token: valid, or the problem with it. */
    enum TokenCheck {
        VALID,
        MISSING,
        FOREIGN,
        EXPIRED
    }
}
