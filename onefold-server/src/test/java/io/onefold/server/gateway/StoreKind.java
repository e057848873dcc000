package io.onefold.server.gateway;

import io.onefold.servers.DatabaseServer;
import io.onefold.servers.MariaDbServer;
import io.onefold.servers.PostgresServer;
import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** What a gateway can keep its records in. The servers are shared by all tests. */
enum StoreKind {
    SQLITE,
    POSTGRESQL,
    MARIADB,
    REDIS;

    private static final AtomicInteger REDIS_DATABASES = new AtomicInteger();

    /** One that is empty. */
    Place empty(Path directory) {
        return switch (this) {
            case SQLITE -> new Place(0, port -> "sqlite:" + directory.resolve("records.db"));
            case POSTGRESQL -> database(PostgresServer.shared(), '?');
            case MARIADB -> database(MariaDbServer.shared(), '&');
            case REDIS -> redis(RedisServer.shared(), REDIS_DATABASES.getAndIncrement());
        };
    }

    static Place redis(RedisServer server, int number) {
        return new Place(server.port(), port -> "redis://127.0.0.1:" + port + "/" + number);
    }

    static Place database(DatabaseServer server, char separator) {
        String name = server.newDatabase();
        String login = separator + "user=" + server.user() + "&password=" + server.password();
        return new Place(server.port(), port -> server.url(name, port) + login);
    }

    /** Where a store is. */
    record Place(int port, IntFunction<String> behind) {
        String address() {
            return behind.apply(port);
        }

        String through(TcpProxy proxy) {
            return behind.apply(proxy.port());
        }
    }
}
