package io.onefold.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** RabbitMQ as it is installed here, with a node and a port mapper of its own. */
final class RabbitProcess extends Server {
    private final Path program;
    private final int mapperPort = Ports.free();

    private RabbitProcess(Path program) {
        super("rabbitmq");
        this.program = program;
    }

    static RabbitProcess start(Path program) {
        RabbitProcess server = new RabbitProcess(program);
        server.begin();
        return server;
    }

    @Override
    void initialise() throws IOException {
        own(Files.createFile(home().resolve("enabled_plugins")));
    }

    @Override
    List<String> commandLine(int port) {
        return List.of(
                "env",
                "HOME=" + home(),
                "ERL_EPMD_PORT=" + mapperPort,
                "RABBITMQ_NODENAME=onefold" + port + "@localhost",
                "RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
                "RABBITMQ_NODE_PORT=" + port,
                "RABBITMQ_DIST_PORT=" + Ports.free(),
                "RABBITMQ_MNESIA_BASE=" + home(),
                "RABBITMQ_LOG_BASE=" + home(),
                "RABBITMQ_ENABLED_PLUGINS_FILE=" + home().resolve("enabled_plugins"),
                program.toString());
    }

    @Override
    boolean answers() {
        return Amqp.answers("127.0.0.1", port());
    }

    @Override
    String endingSignal() {
        return "TERM";
    }

    /** The port mapper outlives its node. */
    @Override
    void cleanUp() {
        List<String> command = List.of("sh", "-c", "ERL_EPMD_PORT=" + mapperPort + " epmd -kill");
        Processes.await(Processes.start(command, null));
    }
}
