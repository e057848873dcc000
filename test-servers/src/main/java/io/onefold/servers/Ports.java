package io.onefold.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports below the range from which systems take those of outgoing connections. Inside it, a client that asks a server which is down
 * may be given that server's port for its own end, connect to itself, and keep the server from coming back.
 */
public final class Ports {
    private static final int FIRST = 15_000;
    private static final int LAST = 32_000;
    private static final int TRIES = 1000;

    private Ports() {}

    public static int free() {
        return free(0);
    }

    /** A free port such that the one at this distance above it is free as well. */
    static int free(int distance) {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST - distance);
            try {
                listen(port).close();
                listen(port + distance).close();
                return port;
            } catch (IOException e) {
                // taken, try another
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LAST);
    }

    static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
