package io.onefold.server.config;

/** Somebody listens there already. */
public final class PortTakenException extends ConfigException {
    private static final long serialVersionUID = 1;

    /**
     * @param place where the address was said, or an option to say another
     */
    public PortTakenException(Address address, String place) {
        super(place + ": port " + address.port() + " of " + address.host()
                + " cannot be listened on, somebody has it already: choose another HOST:PORT");
    }
}
