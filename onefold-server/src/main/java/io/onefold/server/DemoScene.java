package io.onefold.server;

import io.onefold.server.config.ConfigReader;
import io.onefold.server.gateway.Gateway;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The demo: a shop without protection, a gateway before it, and the story of both. It has a directory of its own. */
final class DemoScene implements AutoCloseable {
    static final String RECONCILE = "500ms";

    /** The routes by which the gateway protects the shop; {@code SHOP} stands for the shop's address. */
    static final String ROUTES = """
            routes:
              - match: POST /charges
                operation: charge
                wait: 10s
                # asked for the outcome of a request that the shop did not answer
                probe: SHOP/probe?key={key}
            """;

    private static final String SQLITE_DIRECTORY = "org.sqlite.tmpdir";

    private final CheckedOutput story;
    private final Path directory;
    private final boolean ownLibrary;
    private @Nullable ShopProcess shop;
    private @Nullable Gateway gateway;
    private boolean closed;

    /** Prepares the directory and starts nothing yet. */
    DemoScene(PrintStream out) throws IOException {
        this.story = new CheckedOutput(out);
        this.directory = Files.createTempDirectory("onefold-demo");
        // SQLite's driver unpacks a library here, and a process that is killed leaves it behind
        this.ownLibrary = System.getProperty(SQLITE_DIRECTORY) == null;
        if (ownLibrary) {
            System.setProperty(SQLITE_DIRECTORY, directory.toString());
        }
    }

    /**
     * Starts the shop and the gateway; both listen when this returns.
     *
     * @param port of the gateway; 0 for a free one
     * @param routes see {@link #ROUTES}
     */
    synchronized void start(int port, String routes) throws Exception {
        story.say("A shop and a gateway are started; what they write is in " + directory + " until they end.");
        shop = ShopProcess.start(directory, 0);
        Path config = directory.resolve("gateway.yaml");
        Files.writeString(
                config,
                "# for ./onefold proxy --config\nprincipal: anonymous\ndrain: 1s\nreconcile: " + RECONCILE + "\n"
                        + routes.replace("SHOP", shop.address()));
        Map<String, String> options = Map.of(
                "to",
                shop.address(),
                "listen",
                "127.0.0.1:" + port,
                "store",
                "sqlite:" + directory.resolve("records.db"));
        gateway = Gateway.start(ConfigReader.read(config, options));
    }

    /** Tells the story and returns true if every line held. */
    boolean tell() {
        story.say("   shop      " + shopAddress() + " charges whenever it is asked to");
        story.say("   gateway   " + gatewayAddress() + " stands before it, with its records on a synced SQLite file");
        try {
            new DemoSteps(story, this).tell();
        } catch (RuntimeException e) {
            story.line("the story", "told to its end", e);
        }
        story.say("");
        story.say(
                story.held()
                        ? "Every line held: however often a request arrives, it has one effect and one answer."
                        : "Not every line held: please report it, with the lines that say NOT HELD.");
        return story.held();
    }

    /** Prints how to go on. */
    void invite(boolean stays) {
        story.say("");
        story.say("gateway  " + gatewayAddress());
        story.say("metrics  " + gatewayAddress() + "/metrics");
        story.say("shop     " + shopAddress() + "/charges");
        story.say("");
        story.say("Paste this twice, and see Idempotent-Replayed in the second answer:");
        story.say(
                "  curl -i " + gatewayAddress() + "/charges -H 'Content-Type: application/json'"
                        + " -H 'Idempotency-Key: my-first-key' -d '{\"order\":\"order-5\",\"amount\":4200,\"currency\":\"EUR\"}'");
        story.say((stays
                        ? "Ctrl-C stops shop and gateway."
                        : "With --once shop and gateway stop here; without it they stay.")
                + " Before a service of your own: ./onefold proxy --to http://localhost:9000");
    }

    synchronized ShopProcess shop() {
        return Objects.requireNonNull(shop, "started");
    }

    /** Starts the shop again at its old port. */
    synchronized void restartShop() {
        if (!closed) {
            shop = ShopProcess.start(directory, shop().port());
        }
    }

    String shopAddress() {
        return shop().address();
    }

    String gatewayAddress() {
        return "http://127.0.0.1:" + gateway().port();
    }

    private synchronized Gateway gateway() {
        return Objects.requireNonNull(gateway, "started");
    }

    boolean held() {
        return story.held();
    }

    /** Stops both, and removes their directory if every line so far held. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (!story.held()) {
            story.say("What was written is kept in " + directory + ": charges.tsv, records.db and gateway.yaml.");
        }
        story.end();
        if (shop != null) {
            shop.close();
        }
        if (gateway != null) {
            gateway.close();
        }
        if (ownLibrary) {
            System.clearProperty(SQLITE_DIRECTORY);
        }
        if (story.held()) {
            delete(directory);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> inside = Files.walk(directory)) {
            for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            // the directory is temporary: it stays if a loaded library cannot be deleted
        }
    }
}
