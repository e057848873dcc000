package io.onefold.server.config;

/** Another process listens at the address already. */
public final class PortInUseException extends ConfigException {
    private static final long serialVersionUID = 1;

    /** @param place the place that sets the address, or an option to set another */
    public PortInUseException(ListenAddress address, String place) {
        super(place + ": port " + address.port() + " of " + address.host()
                + " cannot be listened on, somebody has it already: choose another HOST:PORT");
    }
}
