package io.onefold.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ as it is installed here, as a node of its own: it reads none of the machine's configuration, and its port mapper, epmd, is its
 * child, so that both end together.
 */
final class RabbitProcess extends Server {
    /** Erlang starts a mapper that outlives its node, unless one is there already. */
    private static final String SCRIPT = "epmd -port \"$ERL_EPMD_PORT\" & exec \"$0\"";

    private final Path program;

    private RabbitProcess(Path program) {
        super("rabbitmq");
        this.program = program;
    }

    /** Null if RabbitMQ, or the port mapper, is not on the path. */
    static @Nullable Path installed() {
        Path program = onPath("rabbitmq-server");
        return program == null || onPath("epmd") == null ? null : program;
    }

    static RabbitProcess start(Path program) {
        RabbitProcess server = new RabbitProcess(script(program));
        server.begin();
        return server;
    }

    /** Packages of Debian put a wrapper on the path, which allows root and their own user alone, and does not pass signals on. */
    private static Path script(Path program) {
        try {
            Path behind = program.toRealPath().resolveSibling(program.getFileName());
            return Files.isExecutable(behind) ? behind : program;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void initialise() throws IOException {
        own(Files.createFile(home().resolve("enabled_plugins")));
        own(Files.createFile(home().resolve("rabbitmq.conf")));
        own(Files.createFile(home().resolve("rabbitmq-env.conf")));
        own(Files.createDirectory(home().resolve("conf.d")));
    }

    @Override
    List<String> commandLine(int port) {
        return List.of(
                "env",
                "HOME=" + home(),
                "ERL_EPMD_PORT=" + Ports.free(),
                "ERL_EPMD_ADDRESS=127.0.0.1",
                "ERL_FLAGS=-kernel inet_dist_use_interface {127,0,0,1}",
                "RABBITMQ_CONF_ENV_FILE=" + home().resolve("rabbitmq-env.conf"),
                "RABBITMQ_CONFIG_FILE=" + home().resolve("rabbitmq.conf"),
                "RABBITMQ_CONFIG_FILES=" + home().resolve("conf.d"),
                "RABBITMQ_ADVANCED_CONFIG_FILE=" + home().resolve("advanced.config"),
                "RABBITMQ_GENERATED_CONFIG_DIR=" + home().resolve("generated"),
                "RABBITMQ_ENABLED_PLUGINS_FILE=" + home().resolve("enabled_plugins"),
                "RABBITMQ_NODENAME=onefold" + port + "@localhost",
                "RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
                "RABBITMQ_NODE_PORT=" + port,
                "RABBITMQ_DIST_PORT=" + Ports.free(),
                "RABBITMQ_MNESIA_BASE=" + home().resolve("data"),
                "RABBITMQ_LOG_BASE=" + home(),
                "RABBITMQ_LOGS=-",
                // the script becomes the node, instead of waiting for it
                "RUNNING_UNDER_SYSTEMD=true",
                "sh",
                "-c",
                SCRIPT,
                program.toString());
    }

    private static @Nullable Path onPath(String program) {
        String path = System.getenv("PATH");
        for (String directory : path == null ? List.<String>of() : List.of(path.split(File.pathSeparator, -1))) {
            Path candidate = Path.of(directory, program);
            if (!directory.isEmpty() && Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    @Override
    boolean answers() {
        return Amqp.answers("127.0.0.1", port());
    }
}
