package io.onefold.server.gateway;

import io.onefold.server.config.Networks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Request;

/** Who is at the other end of the connection, whatever headers say. */
final class Peers {
    private final Networks proxies;

    Peers(Networks proxies) {
        this.proxies = proxies;
    }

    /** Whether it is one of the proxies in front that are believed. */
    boolean trusted(Request request) {
        InetAddress address =
                request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress remote
                        ? remote.getAddress()
                        : null;
        return address != null && proxies.contain(address);
    }

    String address(Request request) {
        return Request.getRemoteAddr(request);
    }
}
