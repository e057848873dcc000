package io.onefold.simulator;

import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.store.RecordId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The policies and requests of one schedule. */
final class Scenario {
    static final String NAME = "transfer";
    static final Duration MAX_WAIT = Duration.ofSeconds(10);
    static final Duration LONG_KEEP = Duration.ofDays(1);

    /** Says that nothing happened. */
    static final class DeclinedException extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** Says that it will never happen. */
    static final class FinalFailureException extends Exception {
        private static final long serialVersionUID = 1;

        FinalFailureException(String message) {
            super(message);
        }
    }

    /** Says nothing. */
    static final class UnclassifiedException extends Exception {
        private static final long serialVersionUID = 1;
    }

    final boolean overwrites;
    final boolean rejects;
    final boolean safe;
    final boolean tombstones;
    final boolean shortKeep;
    final boolean tokens;
    final boolean clockJumps;
    final boolean stubborn;
    final boolean bare;
    final Duration lease;
    final Duration maxRun;
    final Operation<String> operation;
    final List<ClientOrder> orders = new ArrayList<>();

    Scenario(VirtualWorld world) {
        this.overwrites = world.chance(15);
        this.rejects = !overwrites && world.chance(10);
        this.safe = world.chance(25);
        this.shortKeep = world.chance(15);
        this.tombstones = !overwrites && world.chance(shortKeep ? 50 : 10);
        this.tokens = world.chance(10);
        this.clockJumps = world.chance(20);
        this.stubborn = world.chance(5);
        this.bare = world.chance(10);
        this.lease = Duration.ofSeconds(world.random.nextInt(1, 10));
        this.maxRun = lease.multipliedBy(world.random.nextInt(1, 4));
        this.operation = declared(world);
        for (String tenant : world.chance(30) ? List.of("a", "b") : List.of("a")) {
            ClientOrder.ExpectedResult answer = world.chance(70)
                    ? ClientOrder.ExpectedResult.RECEIPT
                    : pick(world, ClientOrder.ExpectedResult.values());
            orders.add(new ClientOrder(tenant, "k", 1, answer));
            if (!bare && world.chance(overwrites ? 80 : 30)) {
                orders.add(new ClientOrder(tenant, "k", 2, answer));
            }
            if (overwrites && !bare) {
                orders.add(new ClientOrder(tenant, "k", 3, answer));
            }
        }
    }

    private Operation<String> declared(VirtualWorld world) {
        Duration keep = shortKeep ? Duration.ofSeconds(world.random.nextInt(10, 20)) : LONG_KEEP;
        Operation<String> made = Operation.of(NAME, String.class)
                .lease(lease, maxRun)
                .maxResultBytes(1_000)
                .keepFor(keep);
        if (rejects) {
            made = made.rejectDuplicates("no");
        } else {
            Duration longest = maxRun.compareTo(MAX_WAIT) < 0 ? maxRun : MAX_WAIT;
            made = made.waitFor(world.chance(30) ? Duration.ZERO : world.upTo(longest));
        }
        if (overwrites) {
            made = made.overwrite();
        }
        if (tombstones) {
            made = made.refuseLateDuplicates(Duration.ofDays(1));
        }
        if (safe) {
            made = made.safeToRepeat();
        }
        if (world.chance(30)) {
            made = made.maxAttempts(world.random.nextInt(2, 4));
        }
        if (world.chance(80)) {
            made = made.retryOn(DeclinedException.class);
        }
        if (world.chance(80)) {
            made = made.failOn(FinalFailureException.class);
        }
        if (world.chance(30)) {
            made = made.waitersShareFailure();
        }
        return world.chance(20) ? made.hashKeys() : made;
    }

    /** Returns the operation as a caller declares it; some callers have a lease of their own. */
    Operation<String> operation(VirtualWorld world) {
        return world.chance(20) ? operation.lease(lease.dividedBy(2)) : operation;
    }

    Key key(ClientOrder order, VirtualWorld world) {
        Key key = tokens ? Key.ofToken(order.key(), order.tenant()) : Key.of(order.key());
        Key scoped = key.in(order.tenant()).bizId(Integer.toString(order.payload()));
        return bare && world.chance(30) ? scoped : scoped.matching(order.payload());
    }

    RecordId id(ClientOrder order) {
        return tokens
                ? RecordId.of(order.tenant() + "/" + order.tenant(), NAME, "token:" + order.key())
                : RecordId.of(order.tenant(), NAME, order.key());
    }

    /** The intent behind a record. */
    ClientOrder order(RecordId id, String bizId) {
        for (ClientOrder order : orders) {
            if (id(order).equals(id) && Integer.toString(order.payload()).equals(bizId)) {
                return order;
            }
        }
        throw new IllegalStateException("nobody asked for " + id);
    }

    /** The ways in which the work may fail. */
    enum WorkFault {
        NONE,
        REFUSED_AT_ONCE,
        NOT_EXECUTED,
        DECLINED,
        REFUSAL,
        TIMEOUT_BEFORE,
        TIMEOUT_AFTER
    }

    static WorkFault mishap(VirtualWorld world) {
        return world.chance(65) ? WorkFault.NONE : pick(world, WorkFault.values());
    }

    static <E> E pick(VirtualWorld world, E[] values) {
        return values[world.random.nextInt(values.length)];
    }
}
