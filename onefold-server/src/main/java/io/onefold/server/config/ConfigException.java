package io.onefold.server.config;

/** An error in the configuration; the message says where it is, what is wrong and what is allowed. */
public class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ConfigException(String message) {
        super(message);
    }
}
