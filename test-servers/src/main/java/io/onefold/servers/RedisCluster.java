package io.onefold.servers;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Redis Cluster of three masters, each with one replica. A node is named by its port. */
public final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    private static final int NODES = 2 * MASTERS;
    private static final String MIGRATED_AT_ONCE = "100";
    private static final String MIGRATION_MILLIS = "10000";

    private final List<RedisServer> servers = new ArrayList<>();

    private RedisCluster() {}

    /** Returns when all nodes know each other, every slot has its master, and every replica has what its master has. */
    public static RedisCluster start() {
        RedisCluster cluster = new RedisCluster();
        try {
            cluster.form();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    public List<Integer> ports() {
        return servers.stream().map(RedisServer::port).toList();
    }

    /** The masters, as a node that runs sees them. */
    public List<Integer> masters() {
        return ClusterView.of(anyRunning()).masters();
    }

    /** The master of the key's slot, as a node that runs sees it. */
    public int masterOf(String key) {
        RedisServer asked = anyRunning();
        int slot = Integer.parseInt(asked.command("CLUSTER", "KEYSLOT", key));
        return ClusterView.of(asked).masterOf(slot).port();
    }

    /** See {@link RedisServer#command}. */
    public String command(int port, String... words) {
        return server(port).command(words);
    }

    public void kill(int port) {
        server(port).kill();
    }

    /** Starts a node again, which then learns its new place from the others: see {@link #awaitOk}. */
    public void restart(int port) {
        server(port).restart();
    }

    public void pause(int port) {
        server(port).pause();
    }

    public void resume(int port) {
        server(port).resume();
    }

    /**
     * Returns when all nodes that run agree that every slot has a master that runs, and every replica that runs has what its master
     * has. So another master has taken over from one that was killed or paused.
     */
    public void awaitOk() {
        Waiting.until("the cluster is whole", this::isOk);
    }

    /** Moves a slot with its keys to another master. Its former one then replies with MOVED, and all nodes know. */
    public void move(int slot, int toPort) {
        ClusterNode from = ClusterView.of(anyRunning()).masterOf(slot);
        if (from.port() == toPort) {
            return;
        }
        String toId = id(toPort);
        setSlot(toPort, slot, "IMPORTING", from.id());
        setSlot(from.port(), slot, "MIGRATING", toId);
        try (RespClient source = server(from.port()).connect()) {
            migrate(source, slot, toPort);
        }
        // The new one first: should only one of them learn of it, then that one.
        setSlot(toPort, slot, "NODE", toId);
        setSlot(from.port(), slot, "NODE", toId);
        awaitOk();
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }

    List<RedisServer> servers() {
        return servers;
    }

    private void form() {
        for (int i = 0; i < NODES; i++) {
            servers.add(RedisServer.start(
                    "--cluster-enabled", "yes", "--cluster-node-timeout", "1500", "--repl-diskless-sync-delay", "0"));
        }
        RedisServer first = servers.get(0);
        for (int i = 0; i < NODES; i++) {
            servers.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            if (i < MASTERS) {
                servers.get(i).command("CLUSTER", "ADDSLOTSRANGE", firstSlot(i), lastSlot(i));
            }
            if (i > 0) {
                first.command(
                        "CLUSTER",
                        "MEET",
                        first.host(),
                        Integer.toString(servers.get(i).port()));
            }
        }
        Waiting.until(
                "the nodes have met",
                () -> servers.stream().allMatch(server -> ClusterView.of(server).knows(NODES)));
        for (int i = 0; i < MASTERS; i++) {
            servers.get(i + MASTERS)
                    .command("CLUSTER", "REPLICATE", id(servers.get(i).port()));
        }
        awaitOk();
    }

    private boolean isOk() {
        List<RedisServer> running = running().toList();
        List<Integer> ports = running.stream().map(RedisServer::port).toList();
        try {
            List<ClusterView> views = running.stream().map(ClusterView::of).toList();
            return views.stream().allMatch(view -> view.isOk(ports))
                    && views.stream().map(view -> view.duties(ports)).distinct().count() == 1;
        } catch (UncheckedIOException | IllegalStateException e) {
            // on its way: to its end, or loading what its master sent
            return false;
        }
    }

    private static void migrate(RespClient source, int slot, int toPort) {
        while (true) {
            List<String> keys =
                    source.ask(List.of("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), MIGRATED_AT_ONCE));
            if (keys.isEmpty()) {
                return;
            }
            List<String> command = new ArrayList<>(
                    List.of("MIGRATE", "127.0.0.1", Integer.toString(toPort), "", "0", MIGRATION_MILLIS, "KEYS"));
            command.addAll(keys);
            source.ask(command);
        }
    }

    private void setSlot(int port, int slot, String state, String id) {
        server(port).command("CLUSTER", "SETSLOT", Integer.toString(slot), state, id);
    }

    private String id(int port) {
        return server(port).command("CLUSTER", "MYID");
    }

    private RedisServer server(int port) {
        return servers.stream()
                .filter(server -> server.port() == port)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(port + " is not among the nodes " + ports()));
    }

    private Stream<RedisServer> running() {
        return servers.stream().filter(RedisServer::isRunning);
    }

    private RedisServer anyRunning() {
        return running().findFirst().orElseThrow(() -> new IllegalStateException("no node runs"));
    }

    private static String firstSlot(int master) {
        return Integer.toString(ClusterView.SLOTS * master / MASTERS);
    }

    private static String lastSlot(int master) {
        return Integer.toString(ClusterView.SLOTS * (master + 1) / MASTERS - 1);
    }
}
