package io.onefold.servers;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A broker that speaks AMQP 0-9-1: the one whose address is in {@code ONEFOLD_TEST_RABBITMQ}, else a {@code rabbitmq-server} of the
 * path, started here for this JVM alone, else {@linkplain QpidBroker a stand-in}. It says which. A broker that nobody has named is
 * somebody else's, also on the usual port of this machine.
 *
 * @param kind which of these it is
 */
public record RabbitServer(String kind, String host, int port, String user, String password, String virtualHost) {
    static final String ADDRESS = "ONEFOLD_TEST_RABBITMQ";
    private static final String STAND_IN = "Qpid Broker-J, in place of RabbitMQ";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String GUEST = "guest";
    private static final int USUAL_PORT = 5672;

    /** The one broker of this JVM. Queues and exchanges are the user's to name so that nobody else has them, and to delete. */
    public static RabbitServer shared() {
        return Shared.SERVER;
    }

    private static RabbitServer find() {
        String address = System.getenv(ADDRESS);
        if (address != null && !address.isBlank()) {
            return at(URI.create(address));
        }
        Path program = RabbitProcess.installed();
        if (program != null) {
            return guest("RabbitMQ of " + program, RabbitProcess.start(program).port());
        }
        return guest(STAND_IN, QpidBroker.start(GUEST, GUEST));
    }

    /** Whether it has quorum queues, which count deliveries: the stand-in has none. */
    public boolean hasQuorumQueues() {
        return !kind.equals(STAND_IN);
    }

    private static RabbitServer guest(String kind, int port) {
        return new RabbitServer(kind, LOOPBACK, port, GUEST, GUEST, "/");
    }

    static RabbitServer at(URI address) {
        if (!"amqp".equals(address.getScheme()) || address.getHost() == null) {
            throw new IllegalArgumentException(
                    ADDRESS + " must look like amqp://user:password@host:5672/vhost, without TLS");
        }
        String[] account = address.getRawUserInfo() == null
                ? new String[] {GUEST, GUEST}
                : address.getRawUserInfo().split(":", 2);
        String path = address.getRawPath() == null ? "" : address.getRawPath();
        return new RabbitServer(
                "the broker of " + ADDRESS,
                address.getHost(),
                address.getPort() < 0 ? USUAL_PORT : address.getPort(),
                decoded(account[0]),
                account.length == 1 ? "" : decoded(account[1]),
                path.length() < 2 ? "/" : decoded(path.substring(1)));
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return kind + ", " + host + ":" + port;
    }

    private static final class Shared {
        static final RabbitServer SERVER = announced(find());

        private static RabbitServer announced(RabbitServer server) {
            System.out.println("AMQP broker: " + server);
            return server;
        }
    }
}
