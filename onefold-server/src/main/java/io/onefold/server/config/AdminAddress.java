package io.onefold.server.config;

import org.jspecify.annotations.Nullable;

/**
 * The place of health and metrics.
 *
 * @param address null if they have no listener of their own
 */
public record AdminAddress(Kind kind, @Nullable ListenAddress address) {

    public enum Kind {
        /** At the listener for clients. */
        WITH_CLIENTS,
        /** At the address, or at a free port of its host if that port is taken. */
        NEAR,
        /** At the address only. */
        AT,
        /** Nowhere. */
        OFF
    }

    static AdminAddress parse(String text) {
        return text.equals("off")
                ? new AdminAddress(Kind.OFF, null)
                : new AdminAddress(Kind.AT, ListenAddress.parse(text));
    }

    /** Returns the default: metrics are not visible beyond this machine by accident. */
    static AdminAddress besides(ListenAddress listen) {
        return listen.loopback()
                ? new AdminAddress(Kind.WITH_CLIENTS, null)
                : new AdminAddress(Kind.NEAR, new ListenAddress("127.0.0.1", listen.port()).nextPort());
    }
}
