package io.onefold.server.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port that nobody listens on, and that nobody else can take. */
final class Nobody implements AutoCloseable {
    private final Socket holder;

    private Nobody(Socket holder) {
        this.holder = holder;
    }

    static Nobody somewhere() throws IOException {
        Socket holder = new Socket();
        holder.setReuseAddress(true);
        holder.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        return new Nobody(holder);
    }

    String address() {
        return "http://127.0.0.1:" + holder.getLocalPort();
    }

    /** From now on, somebody listens. */
    Service becomes() {
        int port = holder.getLocalPort();
        close();
        return Service.start(port);
    }

    @Override
    public void close() {
        try {
            holder.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
