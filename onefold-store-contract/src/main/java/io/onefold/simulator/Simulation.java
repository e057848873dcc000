package io.onefold.simulator;

import io.onefold.Attempt;
import io.onefold.NotExecutedException;
import io.onefold.Outcome;
import io.onefold.Verdict;
import io.onefold.WorkNotStartedException;
import io.onefold.store.RecordFilter;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.upkeep.MaintenanceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/**
 * One schedule, all of it from one seed. For half a minute of virtual time clients send and repeat their requests to
 * two or three nodes, while every kind of fault occurs. Then all is healed, and time goes on until every lease must be
 * over. A person settles the outcomes that are still unknown, and each client sends its request once more. At the end
 * the {@link InvariantChecker} checks the responses and the effects.
 */
final class Simulation {
    private static final Duration STORM = Duration.ofSeconds(30);
    private static final Duration RECONCILE_EVERY = Duration.ofSeconds(5);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
    private static final Duration ALARM =
            MaintenanceSettings.standard().stuckAfter().plusSeconds(20);
    private static final Set<Class<? extends Exception>> EXPECTED = Set.of(
            StoreException.class,
            RejectedExecutionException.class,
            CancellationException.class,
            NotExecutedException.class,
            Scenario.DeclinedException.class,
            Scenario.FinalFailureException.class,
            Scenario.UnclassifiedException.class);
    private static final long EPOCH_MICROS = 1_800_000_000_000_000L;

    private final VirtualWorld world;
    private final SimulationSetup setup;
    private final Scenario scenario;
    private final FaultRates faults;
    private final SimulatedBank bank;
    private final RecordedStore truth;
    private final SignalBoard board = new SignalBoard();
    private final VirtualWorld.SimulatedActor environment = new VirtualWorld.SimulatedActor();
    private final List<InvariantViolation> violations = new ArrayList<>();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<ClientRequest> requests = new ArrayList<>();
    private long clockAhead;

    Simulation(long seed, SimulationSetup setup) {
        this.world = new VirtualWorld(new SplittableRandom(seed));
        this.setup = setup;
        this.scenario = new Scenario(world);
        this.faults = new FaultRates(world.random);
        this.bank = new SimulatedBank(scenario.safe);
        this.truth = new RecordedStore(
                setup.stores().make(this::storeClock, () -> world.pass(world.upTo(Duration.ofMillis(3)))),
                world::now,
                violations::add);
    }

    private long storeClock() {
        return EPOCH_MICROS + clockAhead + world.now() / 1_000;
    }

    /** The violations of invariants, first things first. */
    List<InvariantViolation> run() {
        int size = world.random.nextInt(2, 4);
        for (int i = 0; i < size; i++) {
            nodes.add(newNode());
        }
        for (ClientOrder order : scenario.orders) {
            int duplicates = world.random.nextInt(1, 5);
            for (int i = 0; i < duplicates; i++) {
                Duration when = world.chance(50) ? world.upTo(Duration.ofMillis(3)) : world.upTo(STORM.dividedBy(2));
                world.after(environment, when, () -> send(order, 3));
            }
        }
        world.after(environment, RECONCILE_EVERY, this::reconcile);
        world.after(environment, world.upTo(STORM), this::disturb);
        world.pass(STORM);
        heal();
        world.pass(calm());
        InvariantChecker checker =
                new InvariantChecker(scenario, bank, truth, requests, violations::add, setup.marks());
        checker.nothingInProgress();
        world.pass(scenario.stubborn ? ALARM : Duration.ZERO);
        settleAll();
        for (ClientOrder order : scenario.orders) {
            send(order, 0);
        }
        world.pass(calm());
        settleAll();
        nodes.forEach(node -> node.onefold.close()); // what its log has counted is told, and nothing is left to do
        checker.everythingAnswered(board, world.pending(environment));
        checker.answersHold();
        checker.recordsHold();
        return violations;
    }

    /** Long enough for the last retry to be sent, to wait, to work, and to have its lease end and be found. */
    private Duration calm() {
        Duration work = scenario.maxRun.multipliedBy(2);
        return MAX_PAUSE
                .plus(Scenario.MAX_WAIT)
                .plus(work)
                .plus(scenario.lease)
                .plus(RECONCILE_EVERY)
                .plusSeconds(1);
    }

    // ---- clients

    private void send(ClientOrder order, int retries) {
        SimulatedNode node = nodes.get(world.random.nextInt(nodes.size()));
        ClientRequest request = new ClientRequest(order, node, world.now());
        if (!node.alive) {
            retry(order, retries);
            return;
        }
        requests.add(request);
        CompletionStage<Outcome<String>> answer = node.door.attempt(
                scenario.operation(world), scenario.key(order, world), attempt -> work(node, order, attempt));
        answer.whenComplete((outcome, thrown) -> answered(request, outcome, thrown, retries));
        if (world.chance(5)) {
            world.after(
                    environment,
                    world.upTo(MAX_PAUSE),
                    () -> answer.toCompletableFuture().cancel(false));
        }
        if (world.chance(30)) {
            // the client loses patience, and asks again elsewhere
            retry(order, retries);
        }
    }

    private void answered(ClientRequest request, Outcome<String> outcome, Throwable thrown, int retries) {
        if (!request.node.alive || request.answered()) {
            return;
        }
        request.outcome = outcome;
        request.thrown = thrown;
        request.answeredAt = world.now();
        if (thrown != null && EXPECTED.stream().noneMatch(type -> type.isInstance(thrown))) {
            violations.add(new InvariantViolation(Invariant.I11, "a call ended in " + thrown));
        }
        if (!request.definitive()) {
            retry(request.order, retries);
        }
    }

    private void retry(ClientOrder order, int retries) {
        if (retries > 0 && world.now() < STORM.toNanos()) {
            world.after(environment, world.upTo(MAX_PAUSE), () -> send(order, retries - 1));
        }
    }

    private CompletionStage<String> work(SimulatedNode node, ClientOrder order, Attempt attempt) throws Exception {
        Scenario.WorkFault mishap = Scenario.mishap(world);
        if (mishap == Scenario.WorkFault.REFUSED_AT_ONCE) {
            throw new Scenario.FinalFailureException("no".repeat(world.random.nextInt(1_000)));
        }
        CompletableFuture<String> done = new CompletableFuture<>();
        boolean watchful = world.chance(50);
        if (watchful) {
            attempt.onLeaseLost(() -> {});
        }
        Duration before = world.chance(70) ? world.upTo(Duration.ofMillis(50)) : world.upTo(scenario.maxRun);
        Duration after = world.chance(70) ? world.upTo(Duration.ofMillis(50)) : world.upTo(scenario.maxRun);
        world.after(node, before, () -> {
            if (watchful && attempt.leaseLost()) {
                done.completeExceptionally(new WorkNotStartedException("too late", null));
                return;
            }
            switch (mishap) {
                case NOT_EXECUTED ->
                    done.completeExceptionally(
                            attempt.notExecuted("the bank is closed", new Scenario.UnclassifiedException()));
                case DECLINED -> done.completeExceptionally(new Scenario.DeclinedException());
                case REFUSAL ->
                    done.completeExceptionally(
                            new Scenario.FinalFailureException("no".repeat(world.random.nextInt(1_000))));
                case TIMEOUT_BEFORE -> done.completeExceptionally(new Scenario.UnclassifiedException());
                default -> transfer(node, order, attempt, mishap, after, done);
            }
        });
        // a dependent stage wraps its exceptions
        return world.chance(50) ? done : done.thenApply(value -> value);
    }

    private void transfer(
            SimulatedNode node,
            ClientOrder order,
            Attempt attempt,
            Scenario.WorkFault mishap,
            Duration after,
            CompletableFuture<String> done) {
        String receipt = bank.transfer(order, attempt);
        world.after(node, after, () -> {
            attempt.onLeaseLost(() -> {});
            if (receipt == null) {
                done.completeExceptionally(attempt.notExecuted("the bank blocks it"));
            } else if (mishap == Scenario.WorkFault.TIMEOUT_AFTER) {
                done.completeExceptionally(new Scenario.UnclassifiedException());
            } else {
                done.complete(order.reply(receipt));
            }
        });
    }

    // ---- what goes wrong, and who cares for it

    private SimulatedNode newNode() {
        SimulatedNode node = new SimulatedNode(world, setup, truth, faults, board);
        if (world.chance(5)) {
            return node;
        }
        node.reconciler.probe(scenario.operation, stuck -> {
            ClientOrder order = scenario.order(stuck.id(), Objects.requireNonNull(stuck.bizId()));
            if (world.chance(10)) {
                throw new Scenario.UnclassifiedException();
            }
            return bank.settle(order, stuck.childKey("bank"), stuck.fence(), !scenario.stubborn && world.chance(50));
        });
        return node;
    }

    private void reconcile() {
        world.after(environment, RECONCILE_EVERY, this::reconcile);
        SimulatedNode node = nodes.get(world.random.nextInt(nodes.size()));
        world.after(node, Duration.ZERO, () -> {
            try {
                node.reconciler.startRound(() -> !world.chance(2));
                node.onefold.store().sweep(10);
            } catch (StoreException e) {
                // next time
            }
        });
        revive();
    }

    private void disturb() {
        if (scenario.clockJumps) {
            clockAhead += world.upTo(scenario.lease).toNanos() / 1_000;
        }
        if (world.chance(50)) {
            settleAll();
        }
    }

    private void revive() {
        for (int i = 0; i < nodes.size(); i++) {
            if (!nodes.get(i).alive) {
                nodes.set(i, newNode());
            }
        }
    }

    private void heal() {
        faults.heal();
        nodes.forEach(node -> node.pausedUntil = 0);
        revive();
    }

    /** A person looks at everything that is not at its end, and decides by what the bank says. */
    private void settleAll() {
        SimulatedNode node = nodes.get(0);
        for (StoredRecord record : truth.list(RecordFilter.of(Status.UNKNOWN, Status.PROCESSING), null, 100)
                .records()) {
            ClientOrder order = scenario.order(record.id(), Objects.requireNonNull(record.bizId()));
            Verdict<String> verdict = bank.settle(order, record.id().child("bank"), record.fence(), true);
            world.after(node, Duration.ZERO, () -> {
                try {
                    node.onefold.settle(scenario.operation, record, verdict, true);
                } catch (StoreException e) {
                    // next time
                }
            });
        }
        world.pass(Duration.ofMillis(1));
    }
}
