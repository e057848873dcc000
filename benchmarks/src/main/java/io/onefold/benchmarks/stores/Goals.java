package io.onefold.benchmarks.stores;

import static io.onefold.benchmarks.stores.OnefoldSubject.NAME;

import java.util.ArrayList;
import java.util.List;

/** What is to be reached at all venues. */
final class Goals {
    private static final double NO_LOSS = 0.95;
    private static final String INSERT = "one plain insert per commit";

    private final Results results;
    private final List<Goal> goals = new ArrayList<>();

    private Goals(Results results) {
        this.results = results;
    }

    static List<Goal> of(Results results) {
        Goals all = new Goals(results);
        all.onDatabases();
        all.onRedis();
        all.elsewhere();
        return all.goals;
    }

    private void onDatabases() {
        overBest(Group.of(Postgres.ID, Workload.FIRST, 64), 2.5);
        over(Group.of(Postgres.ID, Workload.FIRST, 64), NAME, INSERT, 1.2);
        over(Group.of(Postgres.ID, Workload.FIRST, 256), NAME, INSERT, 2);
        over(Group.of(Postgres.ID, Workload.REPLAY, 64), NAME, "one plain select by key", 2);
        for (int callers : new int[] {1, 64}) {
            Group joined = Group.of(Postgres.ID, Workload.JOINED, callers);
            over(joined, OnefoldSubject.JOINED, "naive three commits", 1.5);
        }
        overBest(Group.of(MariaDb.ID, Workload.FIRST, 64), 1.8);
        for (int callers : new int[] {1, 8}) {
            overBest(Group.of(Postgres.ID, Workload.FIRST, callers), NO_LOSS);
        }
        goals.add(Goal.atMost(Postgres.ID + ": bytes per record", results.figure(Bytes.AS_IT_IS), Bytes.GOAL));
        for (Workload workload : Growth.WORKLOADS) {
            goals.add(Goal.atMost(results, Growth.group(workload), Growth.FEW, Growth.MANY, Growth.GOAL));
        }
    }

    private void onRedis() {
        Group first = Group.of(RedisVenue.ID, Workload.FIRST, 64);
        over(first, NAME, PlainCommands.TWO + RedisClients.JEDIS, 1.4);
        over(first, NAME, NaiveRedis.NAME + RedisClients.JEDIS, 2.5);
        for (int callers : new int[] {1, 8}) {
            over(Group.of(RedisVenue.ID, Workload.FIRST, callers), NAME, NaiveRedis.NAME + RedisClients.JEDIS, NO_LOSS);
        }
        Group replay = Group.of(RedisVenue.ID, Workload.REPLAY, 64);
        over(replay, NAME, PlainCommands.ONE + RedisClients.JEDIS, 1.2);
        over(replay, OnefoldSubject.FRONT_DOOR, NAME, 0.9);
        goals.add(Goal.atMost(RedisVenue.ID + ": bytes per record", results.figure(RedisBytes.EACH), RedisBytes.GOAL));
    }

    private void elsewhere() {
        for (Group group : results.groups()) {
            if (isFewCallersElsewhere(group)) {
                overBest(group, NO_LOSS);
            }
        }
    }

    /** Where they are measured; SQLite has no goals. */
    private static boolean isFewCallersElsewhere(Group group) {
        boolean first = group.work().equals(Workload.FIRST.id());
        return group.callers() <= 8
                && (group.database().equals(MariaDb.ID) || !first)
                && !group.database().equals(Sqlite.ID)
                && (first || group.work().equals(Workload.REPLAY.id()));
    }

    private void over(Group group, String subject, String other, double goal) {
        goals.add(Goal.atLeast(results, group, subject, other, goal));
    }

    private void overBest(Group group, double goal) {
        goals.add(Goal.overBest(results, group, goal));
    }
}
