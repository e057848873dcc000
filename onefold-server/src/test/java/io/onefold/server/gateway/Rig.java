package io.onefold.server.gateway;

import io.onefold.server.config.ConfigReader;
import io.onefold.server.config.GatewayConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A service, a gateway before it, and a client. */
final class Rig implements AutoCloseable {
    final Service service;
    final Gateway gateway;
    final Client client;

    private Rig(Service service, Gateway gateway) {
        this.service = service;
        this.gateway = gateway;
        this.client = new Client(gateway.port());
    }

    /**
     * @param yaml without where to listen, where to send on to and where records are
     */
    static Rig with(Path directory, String yaml) throws Exception {
        return with(Service.start(), directory, yaml);
    }

    static Rig with(Service service, Path directory, String yaml) throws Exception {
        return new Rig(service, Gateway.start(config(service.address(), directory, yaml)));
    }

    /** With its records elsewhere. */
    static Rig on(String store, Service service, Path directory, String yaml) throws Exception {
        return new Rig(service, Gateway.start(config(store, service.address(), directory, yaml)));
    }

    /** Before a service that is somewhere else, or nowhere. */
    static Rig with(String address, Path directory, String yaml) throws Exception {
        return new Rig(Service.start(), Gateway.start(config(address, directory, yaml)));
    }

    static GatewayConfig config(String address, Path directory, String yaml) throws IOException {
        return config("sqlite:" + directory.resolve("records.db"), address, directory, yaml);
    }

    private static GatewayConfig config(String store, String address, Path directory, String yaml) throws IOException {
        Path file = Files.createTempFile(directory, "gateway", ".yaml");
        Files.writeString(file, yaml);
        Map<String, String> options = new HashMap<>(Map.of("to", address, "listen", "127.0.0.1:0", "store", store));
        return ConfigReader.read(file, options);
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("it did not come to this: " + what);
            }
            Thread.sleep(5);
        }
    }

    @Override
    public void close() {
        service.close();
        gateway.close();
    }
}
