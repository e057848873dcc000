package io.onefold;

import org.jspecify.annotations.Nullable;

/**
 * The attempt that this call waited for has failed, and nothing ran for this call; see {@link Operation#waitersShareFailure()}. The same call may be
 * made again. The cause is what the attempt threw, if it ran in this process.
 */
public final class AttemptFailedException extends OnefoldException {
    private static final long serialVersionUID = 1;

    AttemptFailedException(@Nullable Throwable cause) {
        super("the attempt that this call waited for has failed; nothing ran for this call, and it may be made again");
        initCause(cause);
    }

    @Override
    public Outcome<?> outcome() {
        return new Outcome.AttemptFailed<>(getCause());
    }
}
