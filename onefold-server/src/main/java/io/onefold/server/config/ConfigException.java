package io.onefold.server.config;

/** Something in the configuration is wrong; the message says where, what, and what is allowed. */
public class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ConfigException(String message) {
        super(message);
    }
}
