package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cases under real threads, on two handles: one wins, and every call gets a result. */
@Tag("invariant-30")
abstract class RaceCases extends StoreCases {
    private static final int THREADS = 8;
    private static final int ROUNDS = 10;

    RaceCases(StoreContract contract) {
        super(contract);
    }

    @Test
    @Tag("invariant-1")
    @Tag("invariant-8")
    void of_many_claims_for_one_key_exactly_one_wins_and_the_others_meet_the_winner() {
        for (int round = 0; round < ROUNDS; round++) {
            RecordId id = id();
            List<ClaimResult> answers = race(IntStream.range(0, THREADS)
                    .mapToObj(i -> (Callable<ClaimResult>) () -> door.claim(handle(i), full(id, LONG)))
                    .toList());
            oneWon(id, answers);
        }
    }

    @Test
    @Tag("invariant-1")
    void of_many_takes_of_one_record_exactly_one_wins() {
        for (Status status : List.of(Status.FREE, Status.SUCCESS, Status.UNKNOWN, Status.PROCESSING)) {
            StoredRecord there = bring(status, SHORT);
            fixture().pass(SHORT);
            TakeoverReason grounds = switch (status) {
                case FREE -> TakeoverReason.FREE;
                case UNKNOWN -> TakeoverReason.UNKNOWN;
                case PROCESSING -> TakeoverReason.LEASE_OVER;
                default -> TakeoverReason.EXPIRED;
            };
            List<ClaimResult> answers = race(IntStream.range(0, THREADS)
                    .mapToObj(i -> (Callable<ClaimResult>)
                            () -> door.claim(handle(i), full(there.id(), LONG).retaking(grounds, there, List.of())))
                    .toList());
            oneWon(there.id(), answers);
        }
    }

    private void oneWon(RecordId id, List<ClaimResult> answers) {
        StoredRecord winner = find(id);
        assertThat(answers)
                .filteredOn(ClaimResult.Acquired.class::isInstance)
                .singleElement()
                .satisfies(
                        won -> assertThat(((ClaimResult.Acquired) won).fence()).isEqualTo(winner.fence()));
        for (ClaimResult claimed : answers) {
            if (claimed instanceof RecordSnapshot seen && !fixture().answersFromCopies()) {
                assertThat(seen.record().ticket()).isEqualTo(winner.ticket());
            }
        }
    }

    @Test
    @Tag("invariant-2")
    void of_two_changes_that_exclude_each_other_one_is_applied() {
        List<UpdateCases.UpdateCase> wishes = List.of(
                UpdateCases.UpdateCase.COMPLETE,
                UpdateCases.UpdateCase.FAIL,
                UpdateCases.UpdateCase.RELEASE,
                UpdateCases.UpdateCase.OVERRULE_SUCCESS,
                UpdateCases.UpdateCase.OVERRULE_FREE);
        for (UpdateCases.UpdateCase first : wishes) {
            for (UpdateCases.UpdateCase second : wishes) {
                if (first != second) {
                    oneIsApplied(first.change(), second.change());
                }
            }
        }
    }

    private void oneIsApplied(Change first, Change second) {
        Ticket ticket = bring(Status.PROCESSING, LONG).ticket();
        List<UpdateResult> answers = race(List.of(
                () -> door.update(handle(0), ticket, first),
                () -> door.update(handle(1), ticket, second),
                () -> door.update(handle(0), ticket, first),
                () -> door.update(handle(1), ticket, second)));
        assertThat(answers.get(0))
                .as("%s against %s: %s", first, second, answers)
                .isEqualTo(answers.get(2));
        assertThat(answers.get(1)).isEqualTo(answers.get(3));
        assertThat(answers.get(0)).isNotEqualTo(answers.get(1));
    }

    @Test
    void a_result_is_never_seen_by_halves() {
        for (int round = 0; round < ROUNDS; round++) {
            Ticket ticket = bring(Status.PROCESSING, LONG).ticket();
            Change complete = new Change.Complete(value("whole"), KEEP);
            AtomicBoolean done = new AtomicBoolean();
            List<Callable<Boolean>> tasks = new ArrayList<>();
            tasks.add(() -> {
                try {
                    return door.update(handle(0), ticket, complete) == UpdateResult.APPLIED;
                } finally {
                    done.set(true);
                }
            });
            for (int i = 1; i < 4; i++) {
                Store store = handle(i);
                tasks.add(() -> {
                    boolean whole = true;
                    while (!done.get()) {
                        StoredRecord seen =
                                Objects.requireNonNull(store.find(ticket.id())).record();
                        whole &= seen.status() == Status.PROCESSING
                                || value("whole").equals(seen.payload());
                    }
                    return whole;
                });
            }
            assertThat(race(tasks)).containsOnly(true);
        }
    }

    @Test
    @Tag("invariant-29")
    void what_is_claimed_while_a_sweep_goes_on_survives_it() {
        for (int round = 0; round < ROUNDS; round++) {
            List<StoredRecord> due = IntStream.range(0, 8)
                    .mapToObj(i -> bring(i % 2 == 0 ? Status.SUCCESS : Status.FREE, SHORT))
                    .toList();
            fixture().pass(SHORT);
            List<Callable<Boolean>> tasks = new ArrayList<>();
            tasks.add(() -> fixture().store().sweep(100) >= 0);
            tasks.add(() -> fixture().reopened().sweep(100) >= 0);
            for (StoredRecord record : due) {
                tasks.add(() -> {
                    Claim claim = bare(record.id(), LONG).replacing(TakeoverReason.EXPIRED, record, List.of());
                    return door.claim(store(), claim) instanceof ClaimResult.Acquired;
                });
            }
            assertThat(race(tasks)).as("taken or claimed anew, either way won").containsOnly(true);
            for (StoredRecord record : due) {
                assertThat(find(record.id()).status()).isEqualTo(Status.PROCESSING);
                assertThat(find(record.id()).fence()).isGreaterThan(record.fence());
            }
        }
    }

    @Test
    void many_changes_of_many_records_do_not_hinder_each_other() {
        List<Callable<Boolean>> tasks = IntStream.range(0, THREADS)
                .mapToObj(i -> (Callable<Boolean>) () -> {
                    boolean good = true;
                    for (int n = 0; n < 10; n++) {
                        Claim claim = full(id(), LONG);
                        ClaimResult.Acquired won = (ClaimResult.Acquired) door.claim(handle(i), claim);
                        Ticket ticket = new Ticket(claim.id(), claim.owner(), won.fence());
                        good &= door.update(handle(i), ticket, new Change.Renew(LONG)) == UpdateResult.APPLIED;
                        good &= door.update(
                                        handle(i), ticket, new Change.Complete(value("x"), RetentionPeriod.of(LONG)))
                                == UpdateResult.APPLIED;
                    }
                    return good;
                })
                .toList();
        assertThat(race(tasks)).containsOnly(true);
    }

    private Store handle(int thread) {
        return thread % 2 == 0 ? fixture().store() : fixture().reopened();
    }

    private static <T> List<T> race(List<Callable<T>> tasks) {
        return ConcurrentTasks.run(tasks);
    }
}
