package io.onefold.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Redis that keeps everything in memory and evicts nothing, unless its options say otherwise: who starts it again after {@link #kill}
 * finds it empty.
 */
public final class RedisServer extends Server {
    private static final String VERSION = "7.0.15";
    private static final String PROGRAM = "redis-server";

    /** From the port for clients up to the one that nodes of a cluster use among themselves. */
    private static final int BUS_DISTANCE = 10_000;

    private final List<String> options;
    private final @Nullable RedisSecrets secrets;

    private RedisServer(boolean isSecured, String... options) {
        super("redis");
        this.options = List.of(options);
        this.secrets = isSecured ? new RedisSecrets(home()) : null;
    }

    /** A server of its own, with no data. Options are those of its command line, such as {@code "--appendonly", "yes"}. */
    public static RedisServer start(String... options) {
        return begun(new RedisServer(false, options));
    }

    /** A server of its own that speaks TLS alone and serves {@link #user} alone. */
    public static RedisServer secured() {
        return begun(new RedisServer(true));
    }

    /** The one server of this JVM, for all who neither kill nor pause nor flush nor close it. */
    public static RedisServer shared() {
        return Shared.SERVER;
    }

    public String host() {
        return "127.0.0.1";
    }

    /** The address, without user and password. */
    public String uri() {
        return (secrets == null ? "redis" : "rediss") + "://" + host() + ":" + port();
    }

    /** The only user of a secured server, who may do everything. */
    public String user() {
        return secrets().user();
    }

    public String password() {
        return secrets().password();
    }

    /** The PKCS #12 file with the certificate of a secured server. */
    public Path trustStore() {
        return secrets().trustStore();
    }

    public String trustStorePassword() {
        return secrets().storePassword();
    }

    /**
     * Sends one command over a connection of its own.
     *
     * @return the reply, with a line for each of its parts, and {@code (nil)} for what is not there
     * @throws IllegalStateException with the server's words if it replies with an error
     */
    public String command(String... words) {
        try (RespClient client = connect()) {
            return client.text(words);
        }
    }

    RespClient connect() {
        RespClient client =
                RespClient.connect(secrets == null ? SocketFactory.getDefault() : secrets.sockets(), port());
        if (secrets != null) {
            try {
                client.text("AUTH", secrets.user(), secrets.password());
            } catch (RuntimeException e) {
                client.close();
                throw e;
            }
        }
        return client;
    }

    /** A value that INFO tells, empty if it does not. */
    String info(String section, String name) {
        return RespClient.value(command("INFO", section), name);
    }

    /** With a file that the server may write its settings to: sentinels insist on one. */
    @Override
    void initialise() throws IOException {
        Files.createFile(configuration());
        if (secrets != null) {
            secrets.create();
        }
        try (Stream<Path> files = Files.list(home())) {
            files.forEach(this::own);
        }
    }

    @Override
    List<String> commandLine(int port) {
        List<String> line = new ArrayList<>();
        line.add(program());
        line.add(configuration().toString());
        Collections.addAll(line, "--bind", host(), "--dir", home().toString());
        Collections.addAll(line, "--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction");
        if (secrets == null) {
            Collections.addAll(line, "--port", Integer.toString(port));
        } else {
            line.addAll(secrets.options(port));
        }
        line.addAll(options);
        return line;
    }

    /** Tells its process, as another server may have been quicker to take the port. */
    @Override
    boolean answers() {
        try {
            return command("PING").equals("PONG")
                    && info("server", "process_id").equals(Long.toString(pid()));
        } catch (IllegalStateException | UncheckedIOException e) {
            return false;
        }
    }

    @Override
    int freePort() {
        return options.contains("--cluster-enabled") ? Ports.free(BUS_DISTANCE) : Ports.free();
    }

    private Path configuration() {
        return home().resolve("redis.conf");
    }

    private RedisSecrets secrets() {
        if (secrets == null) {
            throw new IllegalStateException("only a secured server has users and a certificate");
        }
        return secrets;
    }

    private static RedisServer begun(RedisServer server) {
        server.begin();
        return server;
    }

    private static String program() {
        String architecture = Binaries.requireLinux("amd64", "aarch64").replace("aarch64", "arm64");
        String resource = "/redis-server-" + VERSION + "-linux-" + architecture;
        return Binaries.unpacked("redis-" + VERSION + "-" + architecture, home -> unpack(resource, home))
                .resolve(PROGRAM)
                .toString();
    }

    private static void unpack(String resource, Path home) throws IOException {
        try (InputStream program = RedisServer.class.getResourceAsStream(resource)) {
            if (program == null) {
                throw new IOException(resource + " is not on the class path");
            }
            Path path = home.resolve(PROGRAM);
            Files.copy(program, path);
            Binaries.permit(path, true);
        }
    }

    private static final class Shared {
        static final RedisServer SERVER = start();
    }
}
