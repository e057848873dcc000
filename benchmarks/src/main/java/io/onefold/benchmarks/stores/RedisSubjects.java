package io.onefold.benchmarks.stores;

import io.onefold.jdbc.JdbcStore;
import io.onefold.redis.RedisStore;
import io.onefold.servers.RedisServer;
import io.onefold.store.Store;
import io.onefold.store.TieredStore;
import java.util.ArrayList;
import java.util.List;

/** Who is measured on Redis. */
final class RedisSubjects {
    private RedisSubjects() {}

    static Subjects on(RedisServer server, Database behind, Plan plan) {
        RedisClients clients = new RedisClients(server);
        Commands jedis = clients.jedis();
        Commands lettuce = clients.lettuce();
        List<Subject> all = new ArrayList<>();
        all.add(OnefoldSubject.leased(OnefoldSubject.NAME, RedisStore.of(clients.onefold())));
        all.add(OnefoldSubject.replaying(OnefoldSubject.FRONT_DOOR, frontDoor(clients, behind)));
        all.add(new NaiveRedis(jedis));
        all.add(new NaiveRedis(lettuce));
        all.add(SpringIntegration.redis(clients.spring()));
        all.add(new RedissonLock(server.uri()));
        if (plan.alsoPeersDefault()) {
            all.add(new NaiveRedis(clients.jedisByDefault()));
        }
        all.add(PlainCommands.two(jedis));
        all.add(PlainCommands.two(lettuce));
        all.add(PlainCommands.one(jedis));
        all.add(PlainCommands.one(lettuce));
        return new Subjects(all, null, clients::close);
    }

    private static Store frontDoor(RedisClients clients, Database behind) {
        JdbcStore truth = JdbcStore.of(behind.shared());
        return TieredStore.over(RedisStore.front(clients.onefold()), truth, truth::epoch, System::nanoTime);
    }
}
