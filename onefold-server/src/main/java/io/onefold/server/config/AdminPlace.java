package io.onefold.server.config;

import org.jspecify.annotations.Nullable;

/**
 * The place of health and metrics.
 *
 * @param address null if they have no listener of their own
 */
public record AdminPlace(Kind kind, @Nullable Address address) {

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

    static AdminPlace parse(String text) {
        return text.equals("off") ? new AdminPlace(Kind.OFF, null) : new AdminPlace(Kind.AT, Address.parse(text));
    }

    /** Returns the default: metrics are not visible beyond this machine by accident. */
    static AdminPlace besides(Address listen) {
        return listen.loopback()
                ? new AdminPlace(Kind.WITH_CLIENTS, null)
                : new AdminPlace(Kind.NEAR, new Address("127.0.0.1", listen.port()).nextPort());
    }
}
