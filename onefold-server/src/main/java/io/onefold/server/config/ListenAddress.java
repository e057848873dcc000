package io.onefold.server.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** An address to listen on: {@code HOST:PORT}, with an IPv6 address in brackets. */
public record ListenAddress(String host, int port) {

    static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            host = "";
        }
        int port = port(text.substring(colon + 1));
        if (host.isBlank() || port < 0) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not HOST:PORT, such as 127.0.0.1:8687, 0.0.0.0:80 or [::1]:8687");
        }
        return new ListenAddress(host, port);
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            return port <= 65_535 ? port : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Returns true if only this machine can reach it. */
    public boolean loopback() {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (!address.isLoopbackAddress()) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Returns true if a request to that address arrives here. An unknown name counts as another machine. */
    boolean hears(URI there) {
        if (port != there.getPort()) {
            return false;
        }
        try {
            for (InetAddress own : InetAddress.getAllByName(host)) {
                for (InetAddress other : InetAddress.getAllByName(there.getHost())) {
                    if (own.equals(other) || (own.isAnyLocalAddress() && other.isLoopbackAddress())) {
                        return true;
                    }
                }
            }
        } catch (UnknownHostException e) {
            // the error is reported when the address is used
        }
        return false;
    }

    ListenAddress nextPort() {
        return new ListenAddress(host, port == 0 || port == 65_535 ? 0 : port + 1);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
