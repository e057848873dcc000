package io.onefold.servers;

import io.onefold.servers.TcpProxy.Fate;
import io.onefold.servers.TcpProxy.Gate;
import io.onefold.servers.TcpProxy.Trap;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One connection through a {@link TcpProxy}. */
final class ProxyLink {
    private static final int BUFFER = 64 * 1024;

    private final Socket client;
    private final Socket server;
    private final Gate gate;
    private final AtomicReference<@Nullable Trap> trap;
    private volatile @Nullable Trap sprung;
    /** The end of the requests so far, in which a needle may have begun; a character for each byte. */
    private String tail = "";

    private ProxyLink(Socket client, Socket server, Gate gate, AtomicReference<@Nullable Trap> trap) {
        this.client = client;
        this.server = server;
        this.gate = gate;
        this.trap = trap;
    }

    static @Nullable ProxyLink open(Socket client, int serverPort, Gate gate, AtomicReference<@Nullable Trap> trap) {
        try {
            client.setTcpNoDelay(true);
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            server.setTcpNoDelay(true);
            return new ProxyLink(client, server, gate, trap);
        } catch (IOException e) {
            reset(client);
            return null;
        }
    }

    void pumpRequests() {
        pump(client, server, (bytes, length) -> {
            spring(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
            if (!isHeld(Fate.REQUEST_HELD)) {
                server.getOutputStream().write(bytes, 0, length);
            }
        });
    }

    void pumpReplies() {
        pump(server, client, (bytes, length) -> {
            Trap mine = sprung;
            if (mine != null && mine.fate() == Fate.CUT) {
                throw new IOException("the reply was not to arrive");
            }
            if (!isHeld(Fate.REPLY_HELD)) {
                client.getOutputStream().write(bytes, 0, length);
            }
        });
    }

    private boolean isHeld(Fate fate) {
        Trap mine = sprung;
        if (mine == null || mine.fate() != fate) {
            return false;
        }
        mine.sprung().complete(null);
        return true;
    }

    void drop() {
        reset(client);
        reset(server);
        Trap mine = sprung;
        if (mine != null && mine.fate() == Fate.CUT) {
            mine.sprung().complete(null);
        }
    }

    private interface Sink {
        void take(byte[] bytes, int length) throws IOException;
    }

    /** An orderly end is handed on as such; any other end is one for both sides. */
    private void pump(Socket from, Socket to, Sink sink) {
        byte[] buffer = new byte[BUFFER];
        try {
            int length;
            while ((length = from.getInputStream().read(buffer)) >= 0) {
                gate.pass();
                sink.take(buffer, length);
            }
            gate.pass();
            end(from, to);
        } catch (IOException e) {
            drop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            drop();
        }
    }

    private synchronized void end(Socket from, Socket to) throws IOException {
        if (sprung != null) {
            drop();
            return;
        }
        from.shutdownInput();
        to.shutdownOutput();
        if (to.isInputShutdown()) {
            from.close();
            to.close();
        }
    }

    private void spring(String request) {
        Trap set = trap.get();
        if (set == null) {
            tail = "";
            return;
        }
        String needle = new String(set.needle(), StandardCharsets.ISO_8859_1);
        String seen = tail + request;
        if (seen.contains(needle) && trap.compareAndSet(set, null)) {
            sprung = set;
        }
        tail = seen.substring(Math.max(0, seen.length() - needle.length() + 1));
    }

    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // closed already
        }
    }
}
