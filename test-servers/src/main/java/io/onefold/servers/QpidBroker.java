package io.onefold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;

/**
 * Apache Qpid Broker-J inside of this JVM, with everything in memory. It shares AMQP 0-9-1 with RabbitMQ, and not what that one adds:
 * no quorum queues, no count of deliveries, no dead letter exchanges. A message that is rejected for good is dropped, as by RabbitMQ,
 * only because its one delivery is all that it may have; those that were requeued are not counted.
 */
final class QpidBroker {
    private QpidBroker() {}

    /**
     * It ends with this JVM.
     *
     * @return the port that it listens on
     */
    static int start(String user, String password) {
        int port = Ports.free();
        try {
            Path home = Files.createTempDirectory("onefold-qpid-");
            Path configuration = Files.writeString(home.resolve("broker.json"), configuration(port, user, password));
            SystemLauncher launcher = new SystemLauncher();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                launcher.shutdown();
                delete(home);
            }));
            launcher.startup(Map.of(
                    "type",
                    "Memory",
                    "initialConfigurationLocation",
                    configuration.toUri().toString(),
                    "startupLoggedToSystemOut",
                    false,
                    "context",
                    Map.of("qpid.work_dir", home.toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException("the broker did not start", e);
        }
        Waiting.until("the broker answers", () -> Amqp.answers("127.0.0.1", port));
        return port;
    }

    private static String configuration(int port, String user, String password) {
        return """
                {
                  "name": "onefold",
                  "modelVersion": "9.1",
                  "context": {"queue.maximumDeliveryAttempts": "1"},
                  "authenticationproviders": [{
                    "name": "users", "type": "Plain", "secureOnlyMechanisms": [],
                    "users": [{"name": "%s", "type": "managed", "password": "%s"}]
                  }],
                  "ports": [{
                    "name": "amqp", "type": "AMQP", "bindingAddress": "127.0.0.1", "port": %d,
                    "authenticationProvider": "users", "protocols": ["AMQP_0_9_1"],
                    "virtualhostaliases": [
                      {"name": "nameAlias", "type": "nameAlias"}, {"name": "defaultAlias", "type": "defaultAlias"}
                    ]
                  }],
                  "virtualhostnodes": [{
                    "name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
                    "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}"
                  }]
                }
                """.formatted(user, password, port);
    }

    private static void delete(Path home) {
        try {
            Binaries.delete(home);
        } catch (IOException e) {
            // in the temporary directory
        }
    }
}
