package io.onefold.server.gateway;

import io.onefold.server.config.AddressBlocks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Request;

/** The other end of a connection, regardless of headers. */
final class TrustedProxies {
    private final AddressBlocks proxies;

    TrustedProxies(AddressBlocks proxies) {
        this.proxies = proxies;
    }

    /** Returns true if it is one of the trusted proxies in front. */
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
