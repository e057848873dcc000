package io.onefold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stands between clients and a server on this machine, and makes the network fail on demand. */
public final class TcpProxy implements AutoCloseable {
    private final int serverPort;
    private final int port;
    private final Set<Socket> arriving = ConcurrentHashMap.newKeySet();
    private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Trap> trap = new AtomicReference<>();
    private final Gate gate = new Gate();
    private @Nullable Listener listener;

    private TcpProxy(int serverPort) {
        this.serverPort = serverPort;
        this.port = Ports.free();
        accept();
    }

    /** A proxy before a port of this machine. */
    public static TcpProxy to(int port) {
        return new TcpProxy(port);
    }

    public int port() {
        return port;
    }

    /** Drops all connections that are there (RST to both sides). New ones are accepted as before. */
    public void cut() {
        // who arrives becomes a link before it leaves here, so nobody slips through
        arriving.forEach(ProxyLink::reset);
        links.forEach(ProxyLink::drop);
    }

    /** Refuses new connections, as if nobody listened. Those that are there stay. */
    public synchronized void refuse() {
        if (listener != null) {
            listener.close();
            listener = null;
        }
    }

    /** Accepts new connections again. */
    public synchronized void accept() {
        if (listener == null) {
            try {
                ServerSocket socket = Ports.listen(port);
                listener = new Listener(socket, daemon(() -> serve(socket)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Holds back all bytes of all connections, in both directions, until they flow again. */
    public void stall() {
        gate.shut();
    }

    /** Lets bytes flow again, those held back first. */
    public void flow() {
        gate.open();
    }

    /**
     * Once, for whichever connection is first: forwards the bytes of a client that contain the needle, takes the server's reply for
     * itself, and drops the connection. The client never learns what the server did, and when it notices, the server has done it.
     *
     * @return done when the connection was dropped
     */
    public CompletableFuture<Void> cutAfterRequestContaining(byte[] needle) {
        return set(Fate.CUT, needle);
    }

    /**
     * Once, for whichever connection is first: the bytes of a client that contain the needle get no further, nor does what follows
     * them. The connection stays, and nobody is told.
     *
     * @return done when they are held; the server has not heard of them
     */
    public CompletableFuture<Void> holdRequestContaining(byte[] needle) {
        return set(Fate.REQUEST_HELD, needle);
    }

    /**
     * Once, for whichever connection is first: forwards the bytes of a client that contain the needle; the server's reply gets no
     * further, nor does what follows it. The connection stays, and nobody is told.
     *
     * @return done when the reply is held; the server has done what it was asked to
     */
    public CompletableFuture<Void> holdReplyToRequestContaining(byte[] needle) {
        return set(Fate.REPLY_HELD, needle);
    }

    private CompletableFuture<Void> set(Fate fate, byte[] needle) {
        Trap set = new Trap(fate, needle.clone(), new CompletableFuture<>());
        trap.set(set);
        return set.sprung();
    }

    @Override
    public void close() {
        refuse();
        cut();
    }

    private void serve(ServerSocket from) {
        while (true) {
            try {
                Socket client = from.accept();
                arriving.add(client);
                daemon(() -> link(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void link(Socket client) {
        ProxyLink link = ProxyLink.open(client, serverPort, gate, trap);
        if (link == null) {
            arriving.remove(client);
            return;
        }
        links.add(link);
        arriving.remove(client);
        try {
            daemon(link::pumpReplies);
            link.pumpRequests();
        } finally {
            links.remove(link);
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "tcp-proxy");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private record Listener(ServerSocket socket, Thread thread) {
        /** The port is open for as long as a thread is inside accept. */
        void close() {
            try {
                socket.close();
                thread.join();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What springs on the first request with the needle. */
    record Trap(Fate fate, byte[] needle, CompletableFuture<Void> sprung) {}

    /** What becomes of a connection in a trap. */
    enum Fate {
        CUT,
        REQUEST_HELD,
        REPLY_HELD
    }

    /** Where bytes wait while they are held back. */
    static final class Gate {
        private boolean shut;

        synchronized void shut() {
            shut = true;
        }

        synchronized void open() {
            shut = false;
            notifyAll();
        }

        synchronized void pass() throws InterruptedException {
            while (shut) {
                wait();
            }
        }
    }
}
