package io.onefold.server.config;

import org.jspecify.annotations.Nullable;

/**
 * Where health and metrics are.
 *
 * @param address null where there is no listener for them alone
 */
public record AdminPlace(Kind kind, @Nullable Address address) {

    public enum Kind {
        /** Where clients come. */
        WITH_CLIENTS,
        /** At the address, or at a free port of its host if that one cannot be had. */
        NEAR,
        /** At the address and nowhere else. */
        AT,
        /** Nowhere. */
        OFF
    }

    static AdminPlace parse(String text) {
        return text.equals("off") ? new AdminPlace(Kind.OFF, null) : new AdminPlace(Kind.AT, Address.parse(text));
    }

    /** Where nobody has said so: nobody beyond this machine gets to see metrics by accident. */
    static AdminPlace besides(Address listen) {
        return listen.loopback()
                ? new AdminPlace(Kind.WITH_CLIENTS, null)
                : new AdminPlace(Kind.NEAR, new Address("127.0.0.1", listen.port()).nextPort());
    }
}
