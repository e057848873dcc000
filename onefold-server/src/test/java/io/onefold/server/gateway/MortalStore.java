package io.onefold.server.gateway;

import io.onefold.server.gateway.StoreKind.Place;
import io.onefold.servers.PostgresServer;
import io.onefold.servers.RedisServer;

/**
 * A store on a server of its own. What it has confirmed is on disk.
 *
 * @param kill with SIGKILL
 */
record MortalStore(Place place, Runnable kill, Runnable restart, Runnable end) {

    static MortalStore start(StoreKind kind) {
        return switch (kind) {
            case POSTGRESQL -> {
                PostgresServer server = PostgresServer.start();
                yield new MortalStore(StoreKind.database(server, '?'), server::kill, server::restart, server::close);
            }
            case REDIS -> {
                RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
                yield new MortalStore(StoreKind.redis(server, 0), server::kill, server::restart, server::close);
            }
            case SQLITE, MARIADB -> throw new IllegalArgumentException("not here: " + kind);
        };
    }
}
