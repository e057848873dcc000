package io.onefold.benchmarks.stores;

import io.onefold.servers.RedisServer;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Redis that keeps everything in memory, with a PostgreSQL behind it for those who take it as a front door. */
final class RedisVenue extends Venue {
    static final String ID = "redis";

    private final RedisServer server = RedisServer.start();
    private final Postgres behind = new Postgres();

    @Override
    String id() {
        return ID;
    }

    @Override
    boolean beginsAnew() {
        return true;
    }

    @Override
    Subjects open(Plan plan) {
        server.command("FLUSHALL", "SYNC");
        return RedisSubjects.on(server, behind, plan);
    }

    @Override
    String describe() throws SQLException {
        String settings = Stream.of("appendonly", "save", "maxmemory-policy")
                .map(name -> name + "=" + setting(name))
                .collect(Collectors.joining(", "));
        return "Redis " + info(server, "server", "redis_version") + " (pools of " + RedisClients.CONNECTIONS + "): "
                + settings + "; behind the front door " + behind.describe();
    }

    /** What stands behind a name in a section of what the server tells of itself. */
    static String info(RedisServer server, String section, String name) {
        return server.command("INFO", section)
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    /** Name and value come in turn; nothing is shown as such. */
    private String setting(String name) {
        String value = server.command("CONFIG", "GET", name).lines().skip(1).collect(Collectors.joining());
        return value.isEmpty() ? "\"\"" : value;
    }

    @Override
    public void close() {
        super.close();
        behind.close();
        server.close();
    }
}
