package io.onefold.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A Redis master with a replica, and three sentinels that turn the replica into the master when two of them miss the old one. */
public final class RedisSentinel implements AutoCloseable {
    private static final int SENTINELS = 3;
    private static final String QUORUM = "2";

    /** The two servers of data; which of them is the master changes. */
    private final List<RedisServer> servers = new ArrayList<>();

    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisSentinel() {}

    /** Returns when the sentinels know each other and the replica. */
    public static RedisSentinel start() {
        RedisSentinel all = new RedisSentinel();
        try {
            all.form();
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    public List<Integer> sentinelPorts() {
        return sentinels.stream().map(RedisServer::port).toList();
    }

    /** The name under which sentinels know the master. */
    public String masterName() {
        return "onefold";
    }

    /** The port of the master, as the sentinels say. */
    public int masterPort() {
        return masterPort(sentinels.get(0));
    }

    /** See {@link RedisServer#command}. */
    public String command(int port, String... words) {
        return server(port).command(words);
    }

    public void killMaster() {
        master().kill();
    }

    public void pauseMaster() {
        master().pause();
    }

    /** Lets go on what was paused. Sentinels turn a former master into a replica. */
    public void resume() {
        servers.stream().filter(RedisServer::isPaused).forEach(RedisServer::resume);
    }

    /** Returns when all sentinels say that another than this is the master, and it says so, too. */
    public void awaitFailover(int oldMasterPort) {
        Waiting.until("another master has taken over from " + oldMasterPort, () -> {
            List<Integer> named =
                    sentinels.stream().map(this::masterPort).distinct().toList();
            return named.size() == 1
                    && named.get(0) != oldMasterPort
                    && server(named.get(0)).info("replication", "role").equals("master");
        });
    }

    @Override
    public void close() {
        all().forEach(RedisServer::close);
    }

    List<RedisServer> all() {
        return Stream.concat(sentinels.stream(), servers.stream()).toList();
    }

    private void form() {
        RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
        servers.add(master);
        String port = Integer.toString(master.port());
        RedisServer replica = RedisServer.start("--replicaof", master.host(), port, "--repl-diskless-sync-delay", "0");
        servers.add(replica);
        Waiting.until(
                "the replica has what its master has",
                () -> replica.info("replication", "master_link_status").equals("up"));
        for (int i = 0; i < SENTINELS; i++) {
            RedisServer sentinel = RedisServer.start("--sentinel");
            sentinels.add(sentinel);
            sentinel.command("SENTINEL", "MONITOR", masterName(), master.host(), port, QUORUM);
            sentinel.command(
                    "SENTINEL", "SET", masterName(), "down-after-milliseconds", "1000", "failover-timeout", "5000");
        }
        Waiting.until(
                "the sentinels know each other and the replica",
                () -> sentinels.stream().allMatch(this::knowsAll));
    }

    private boolean knowsAll(RedisServer sentinel) {
        List<String> master = told(sentinel, "MASTER");
        List<String> replicas = told(sentinel, "REPLICAS");
        return valueOf("num-other-sentinels", master).equals(Integer.toString(SENTINELS - 1))
                && valueOf("num-slaves", master).equals("1")
                && valueOf("flags", replicas).equals("slave")
                && valueOf("master-link-status", replicas).equals("ok");
    }

    /** Names and values in turn. */
    private List<String> told(RedisServer sentinel, String subject) {
        return sentinel.command("SENTINEL", subject, masterName()).lines().toList();
    }

    private static String valueOf(String name, List<String> told) {
        int at = told.indexOf(name);
        return at < 0 ? "" : told.get(at + 1);
    }

    private int masterPort(RedisServer sentinel) {
        String address = sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName());
        return Integer.parseInt(address.substring(address.indexOf('\n') + 1));
    }

    private RedisServer master() {
        return server(masterPort());
    }

    private RedisServer server(int port) {
        return servers.stream()
                .filter(server -> server.port() == port)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(port + " is neither the master nor the replica"));
    }
}
