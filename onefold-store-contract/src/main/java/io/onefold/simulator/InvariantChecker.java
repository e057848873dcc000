package io.onefold.simulator;

import io.onefold.Outcome;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Compares the responses to clients with the effects at the bank and with the final records of the store. */
final class InvariantChecker {
    private final Scenario scenario;
    private final SimulatedBank bank;
    private final RecordedStore truth;
    private final List<ClientRequest> requests;
    private final Consumer<InvariantViolation> violations;
    private final boolean marks;

    InvariantChecker(
            Scenario scenario,
            SimulatedBank bank,
            RecordedStore truth,
            List<ClientRequest> requests,
            Consumer<InvariantViolation> violations,
            boolean marks) {
        this.marks = marks;
        this.scenario = scenario;
        this.bank = bank;
        this.truth = truth;
        this.requests = requests;
        this.violations = violations;
    }

    void nothingInProgress() {
        List<StoredRecord> running =
                truth.list(RecordFilter.of(Status.PROCESSING), null, 10).records();
        require(running.isEmpty(), Invariant.I7, () -> "still in progress: " + running);
    }

    void everythingAnswered(SignalBoard board, long pending) {
        for (ClientRequest request : requests) {
            require(request.answered() || !request.node.alive, Invariant.I11, () -> "no answer to " + request);
        }
        require(
                board.openOnLivingNodes() == 0,
                Invariant.I11,
                () -> board.openOnLivingNodes() + " subscriptions are open");
        require(pending == 0, Invariant.I11, () -> pending + " steps are still to come");
    }

    void answersHold() {
        for (ClientOrder order : scenario.orders) {
            long effects = bank.count(order);
            int lives = truth.lives(scenario.id(order));
            require(
                    effects <= Math.max(1, lives),
                    Invariant.I1,
                    () -> order + " had " + effects + " effects in " + lives + " lives");
            List<ClientRequest> told = requests.stream()
                    .filter(request -> request.order.equals(order) && request.definitive())
                    // what is safe to repeat may run again, and end otherwise, if its end was not recorded
                    .filter(request -> !scenario.safe || request.recorded())
                    .toList();
            for (ClientRequest request : told) {
                require(!request.succeeded() || effects > 0, Invariant.I2, () -> "no effect, but " + request);
                require(ownAnswer(request), Invariant.I6, () -> "not the own answer: " + request);
            }
            if (lives == 1) {
                oneAnswer(order, told);
            }
        }
        scenario.orders.forEach(this::onePayload);
        requests.forEach(this::heardOfFailure);
    }

    private void heardOfFailure(ClientRequest request) {
        boolean told = request.outcome instanceof Outcome.AttemptFailed;
        require(
                !told || truth.failedBetween(scenario.id(request.order), request.invokedAt, request.answeredAt),
                Invariant.I15,
                () -> "no attempt failed meanwhile, but " + request);
    }

    private static boolean ownAnswer(ClientRequest request) {
        Object told = request.told();
        boolean receipt = request.succeeded() && request.order.answer() == ClientOrder.ExpectedResult.RECEIPT;
        return !receipt || told == null || told.toString().startsWith("value " + request.order.tenant() + "/");
    }

    /**
     * Checks that all definitive responses to an order are the same, and that no request after the first one executes.
     */
    private void oneAnswer(ClientOrder order, List<ClientRequest> told) {
        Set<Object> answers = new HashSet<>();
        told.stream().map(ClientRequest::told).filter(Objects::nonNull).forEach(answers::add);
        require(answers.size() <= 1, Invariant.I3, () -> order + " was told " + answers);
        long first = firstOf(told);
        long safe = firstOf(told.stream().filter(ClientRequest::recorded).toList());
        for (ClientRequest request : requests) {
            if (request.order.equals(order) && request.invokedAt > first) {
                require(
                        !(request.outcome instanceof Outcome.Executed),
                        Invariant.I10,
                        () -> "executed after the answer: " + request);
            }
            if (request.order.equals(order)
                    && request.invokedAt > safe
                    && request.outcome != null
                    && !scenario.shortKeep) {
                require(repeats(request), Invariant.I4, () -> "not replayed: " + request);
            }
        }
    }

    private static long firstOf(List<ClientRequest> told) {
        return told.stream().mapToLong(request -> request.answeredAt).min().orElse(Long.MAX_VALUE);
    }

    private boolean repeats(ClientRequest request) {
        if (request.outcome instanceof Outcome.InProgress) {
            return marks || scenario.overwrites;
        }
        if (request.outcome instanceof Outcome.Rejected<String> refused) {
            return switch (refused.reason()) {
                case DUPLICATE -> scenario.rejects;
                case LATE -> scenario.tombstones;
                case SUPERSEDED -> scenario.overwrites;
                default -> false;
            };
        }
        // a later payload may be under way, or lost, while this one is no longer the record's
        return request.definitive() || scenario.overwrites;
    }

    private void onePayload(ClientOrder order) {
        if (scenario.overwrites || truth.lives(scenario.id(order)) != 1) {
            return;
        }
        Set<Integer> payloads = new HashSet<>();
        for (ClientRequest request : requests) {
            if (scenario.id(request.order).equals(scenario.id(order)) && request.definitive()) {
                payloads.add(request.order.payload());
            }
        }
        require(payloads.size() <= 1, Invariant.I5, () -> order + " was answered for the payloads " + payloads);
    }

    void recordsHold() {
        for (ClientOrder order : scenario.orders) {
            RecordSnapshot seen = truth.find(scenario.id(order));
            if (seen == null || truth.lives(scenario.id(order)) != 1 || scenario.overwrites) {
                continue;
            }
            StoredRecord record = seen.record();
            ClientOrder recorded = scenario.order(record.id(), Objects.requireNonNull(record.bizId()));
            long effects = bank.count(recorded);
            boolean success = record.status() == Status.SUCCESS;
            require(!success || effects > 0, Invariant.I8, () -> record + " says success, but nothing happened");
            require(success || scenario.safe || effects == 0, Invariant.I8, () -> record + ", but it happened");
            long moved = bank.transfers().stream()
                    .filter(transfer -> scenario.id(transfer.order()).equals(record.id()))
                    .count();
            require(
                    (scenario.safe && !success) || moved == (success ? 1 : 0),
                    Invariant.I9,
                    () -> record + ", but " + moved + " were moved");
        }
    }

    private void require(boolean holds, Invariant invariant, Supplier<String> what) {
        if (!holds) {
            violations.accept(new InvariantViolation(invariant, what.get()));
        }
    }
}
