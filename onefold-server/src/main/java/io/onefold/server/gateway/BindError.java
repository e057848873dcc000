package io.onefold.server.gateway;

import io.onefold.server.config.ConfigException;
import io.onefold.server.config.ListenAddress;
import io.onefold.server.config.PortInUseException;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;

/** Explains why an address cannot be listened on. */
final class BindError {
    private BindError() {}

    /**
     * Returns the exception to throw instead; the same one, if it has another cause.
     *
     * @param place the place that sets the address
     */
    static Exception because(Exception failure, ListenAddress address, String place) {
        if (!(failure instanceof IOException || failure instanceof UnresolvedAddressException)) {
            return failure;
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        if (message.contains("already in use")) {
            return new PortInUseException(address, place);
        }
        boolean unresolved = root instanceof UnresolvedAddressException || message.startsWith("Unresolved");
        return new ConfigException(place + ": " + address + " cannot be listened on: "
                + (unresolved ? "there is no host of this name" : message));
    }
}
