package io.onefold.simulator;

import io.onefold.Onefold;
import io.onefold.TokenStore;
import io.onefold.payload.JsonCodec;
import io.onefold.payload.ResultSerializer;
import io.onefold.store.Store;
import io.onefold.upkeep.MaintenanceSettings;
import io.onefold.upkeep.Reconciler;
import java.time.Duration;
import java.util.UUID;

/** A process: an engine with its own threads, timer and way to the store. */
final class SimulatedNode extends VirtualWorld.SimulatedActor {
    private static final ResultSerializer RESULTS = ResultSerializer.with(new JsonCodec());

    final Onefold onefold;
    final AsyncEngineCaller door;
    final Reconciler reconciler;

    SimulatedNode(VirtualWorld world, SimulationSetup setup, Store truth, FaultRates faults, SignalBoard board) {
        this.onefold = Onefold.builder(new FlakyStore(truth, world, this, faults, board))
                .executor(world.executor(this, faults))
                .timer(world.timer(this))
                .results(RESULTS)
                .tokens(new AllTokens(world))
                .waiters(2, 3)
                .owners(() -> new UUID(world.random.nextLong(), world.random.nextLong()))
                .build();
        this.door = setup.doors().apply(onefold);
        this.reconciler = new Reconciler(onefold, world.timer(this), MaintenanceSettings.standard(), Runnable::run);
    }

    /** Knows every token, except when it is asked at a bad moment. */
    private record AllTokens(VirtualWorld world) implements TokenStore {
        @Override
        public String issue(String operation, String user) {
            return UUID.randomUUID().toString();
        }

        @Override
        public TokenCheck check(String token, String operation, String user) {
            return world.chance(80) ? TokenCheck.VALID : Scenario.pick(world, TokenCheck.values());
        }

        @Override
        public void remove(String token) {
            if (world.chance(30)) {
                throw new IllegalStateException("not now");
            }
        }

        @Override
        public Duration life() {
            return Duration.ofSeconds(10);
        }
    }
}
