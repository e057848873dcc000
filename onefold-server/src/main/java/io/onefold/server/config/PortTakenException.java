package io.onefold.server.config;

/** Somebody listens there already. */
public final class PortTakenException extends ConfigException {
    private static final long serialVersionUID = 1;

    /**
     * @param option by which another address is chosen
     */
    public PortTakenException(Address address, String option) {
        super("port " + address.port() + " of " + address.host()
                + " cannot be listened on, somebody has it already: choose another with --" + option + " HOST:PORT");
    }
}
