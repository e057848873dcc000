package io.onefold.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** As much of AMQP 0-9-1 as it takes to know a broker. */
final class Amqp {
    private static final byte[] GREETING = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    private static final int METHOD_FRAME = 1;
    private static final int PATIENCE_MILLIS = 2000;

    private Amqp() {}

    /** Whether a greeting is answered with the first frame of a connection. */
    static boolean answers(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(GREETING);
            return socket.getInputStream().read() == METHOD_FRAME;
        } catch (IOException e) {
            return false;
        }
    }
}
