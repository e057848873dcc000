package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.servers.Ports;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** The service behind a gateway, which does what a test wants, down to the last byte. It acts when it has read a whole request. */
final class Service implements AutoCloseable {
    private final ServerSocket listener;
    private final List<Message> seen = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Behaviour behaviour = Behaviour.ok();

    private Service(ServerSocket listener) {
        this.listener = listener;
        background(this::accept);
    }

    /** Where it can come back: nobody connects to itself there. */
    static Service start() {
        return start(Ports.free());
    }

    static Service start(int port) {
        try {
            ServerSocket listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return new Service(listener);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Service does(Behaviour what) {
        behaviour = what;
        return this;
    }

    int port() {
        return listener.getLocalPort();
    }

    String address() {
        return "http://127.0.0.1:" + port();
    }

    /** The requests that came whole. */
    List<Message> seen() {
        return seen;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                background(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(behaviour.watching(socket.getInputStream()));
            while (true) {
                Behaviour now = behaviour;
                Message head = Message.head(in);
                if (!now.onHead(head, socket)) {
                    return;
                }
                Message request = head.withBody(in);
                seen.add(request);
                if (!behaviour.onRequest(request, socket, seen.size())) {
                    return;
                }
            }
        } catch (IOException e) {
            // the gateway has left
        } finally {
            open.remove(socket);
        }
    }

    private static void background(Runnable task) {
        Thread thread = new Thread(task, "service");
        thread.setDaemon(true);
        thread.start();
    }

    /** As if it were killed. */
    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What to do with a request. */
    @FunctionalInterface
    interface Behaviour {
        /**
         * Tells whether the connection stays.
         *
         * @param count how many came so far, with this one
         */
        boolean onRequest(Message request, Socket socket, int count) throws IOException;

        /** What is read from instead, by who wants to see requests come. */
        default InputStream watching(InputStream in) {
            return in;
        }

        /** Tells whether to read on. */
        default boolean onHead(Message head, Socket socket) throws IOException {
            return true;
        }

        static Behaviour ok() {
            return (request, socket, count) -> {
                write(
                        socket,
                        answer(
                                201,
                                "{\"number\":" + count + "}",
                                "Content-Type: application/json",
                                "Location: /things/" + count));
                return true;
            };
        }

        static Behaviour answers(int status, String body, String... headers) {
            return (request, socket, count) -> {
                write(socket, answer(status, body, headers));
                return true;
            };
        }

        /** Reads it all, then closes the connection without a word. */
        static Behaviour closes() {
            return (request, socket, count) -> false;
        }

        static Behaviour resets() {
            return (request, socket, count) -> {
                socket.setSoLinger(true, 0);
                return false;
            };
        }

        /** Closes the connection after the headers of the request, without having looked at its body. */
        static Behaviour closesAtHead() {
            return new Behaviour() {
                @Override
                public boolean onHead(Message head, Socket socket) {
                    return false;
                }

                @Override
                public boolean onRequest(Message request, Socket socket, int count) {
                    return false;
                }
            };
        }

        /** Says that more comes than does. */
        static Behaviour cuts() {
            return (request, socket, count) -> {
                write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
                return false;
            };
        }

        /** Never answers. */
        static Behaviour hangs() {
            return (request, socket, count) -> {
                // until the gateway has had enough of it
                var unused = socket.getInputStream().read();
                return false;
            };
        }

        /** Answers when the gate opens. */
        static Behaviour waits(CountDownLatch gate) {
            return (request, socket, count) -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    return false;
                }
                return ok().onRequest(request, socket, count);
            };
        }
    }

    static String answer(int status, String body, String... headers) {
        StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return text + "Content-Length: " + body.getBytes(UTF_8).length + "\r\n\r\n" + body;
    }

    static void write(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(UTF_8));
        out.flush();
    }
}
