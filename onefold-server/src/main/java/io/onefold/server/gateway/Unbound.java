package io.onefold.server.gateway;

import io.onefold.server.config.Address;
import io.onefold.server.config.ConfigException;
import io.onefold.server.config.PortTakenException;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;

/** Tells why an address cannot be listened on. */
final class Unbound {
    private Unbound() {}

    /**
     * What to throw in its place: itself, if it is about something else.
     *
     * @param place where the address was said
     */
    static Exception because(Exception failure, Address address, String place) {
        if (!(failure instanceof IOException || failure instanceof UnresolvedAddressException)) {
            return failure;
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        if (message.contains("already in use")) {
            return new PortTakenException(address, place);
        }
        boolean unresolved = root instanceof UnresolvedAddressException || message.startsWith("Unresolved");
        return new ConfigException(place + ": " + address + " cannot be listened on: "
                + (unresolved ? "there is no host of this name" : message));
    }
}
