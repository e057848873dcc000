package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every change from every state. An entry is the state that follows, {@code lost}, or {@code same}: done before, so applied again without a trace. */
abstract class UpdateCases extends StoreCases {
    private static final RetentionPeriod KEPT = new RetentionPeriod(LONG, LONG.multipliedBy(2));
    private static final String TABLE = """
                               PROCESSING  SUCCESS  FAILED  UNKNOWN  FREE
            COMPLETE           SUCCESS     same     lost    SUCCESS  lost
            AMEND              lost        SUCCESS  lost    lost     lost
            FAIL               FAILED      lost     same    FAILED   lost
            RELEASE            FREE        lost     lost    FREE     same
            RENEW              PROCESSING  lost     lost    lost     lost
            CHECKPOINT         PROCESSING  lost     lost    lost     lost
            DOUBT              UNKNOWN     lost     lost    same     lost
            DOUBT_IF_OVER      lost        lost     lost    same     lost
            SETTLE_SUCCESS     lost        lost     lost    SUCCESS  lost
            SETTLE_FAILED      lost        lost     lost    FAILED   lost
            SETTLE_FREE        lost        lost     lost    FREE     lost
            OVERRULE_SUCCESS   SUCCESS     lost     lost    SUCCESS  lost
            OVERRULE_FAILED    FAILED      lost     lost    FAILED   lost
            OVERRULE_FREE      FREE        lost     lost    FREE     lost
            """;

    UpdateCases(StoreContract contract) {
        super(contract);
    }

    /** The changes by name, each with a payload of its own. */
    enum UpdateCase {
        COMPLETE,
        AMEND,
        FAIL,
        RELEASE,
        RENEW,
        CHECKPOINT,
        DOUBT,
        DOUBT_IF_OVER,
        SETTLE_SUCCESS,
        SETTLE_FAILED,
        SETTLE_FREE,
        OVERRULE_SUCCESS,
        OVERRULE_FAILED,
        OVERRULE_FREE;

        Change change() {
            return switch (this) {
                case COMPLETE -> new Change.Complete(value("second"), KEPT);
                case AMEND -> new Change.Amend(value("second"), KEPT);
                case FAIL -> new Change.Fail(payload(ResultPayload.Kind.FAILURE, "second"), KEPT);
                case RELEASE -> new Change.Release(KEPT);
                case RENEW -> new Change.Renew(LONG.multipliedBy(3));
                case CHECKPOINT -> new Change.SaveCheckpoint(bytes("second checkpoint"));
                case DOUBT -> new Change.MarkUnknown(payload(ResultPayload.Kind.NOTE, "second"), false);
                case DOUBT_IF_OVER -> new Change.MarkUnknown(payload(ResultPayload.Kind.NOTE, "second"), true);
                default ->
                    settle(Status.valueOf(name().substring(name().indexOf('_') + 1)), name().startsWith("OVERRULE"));
            };
        }

        private static Change settle(Status to, boolean anyway) {
            ResultPayload.Kind kind = to == Status.FAILED ? ResultPayload.Kind.FAILURE : ResultPayload.Kind.VALUE;
            return new Change.Settle(owner(), to, to == Status.FREE ? null : payload(kind, "second"), KEPT, anyway);
        }
    }

    static Stream<Arguments> cells() {
        return TextTable.cells(TABLE)
                .map(cell -> Arguments.of(UpdateCase.valueOf(cell.row()), Status.valueOf(cell.column()), cell.entry()));
    }

    @ParameterizedTest(name = "{0} from {1}: {2}")
    @MethodSource("cells")
    @Tag("invariant-2")
    void a_change_is_applied_from_the_states_it_may_start_from_and_under_its_ticket_alone(
            UpdateCase wish, Status from, String entry) {
        StoredRecord before = bring(from, LONG);
        Ticket held = before.ticket();
        strangersLose(before, wish.change());

        Change change = wish.change();
        long asked = fixture().now();
        UpdateResult updated = update(held, change);
        long answered = fixture().now();
        StoredRecord after = find(before.id());

        assertThat(updated).isEqualTo(entry.equals("lost") ? UpdateResult.LOST : UpdateResult.APPLIED);
        if (entry.equals("lost") || entry.equals("same")) {
            assertThat(RecordImage.of(after)).isEqualTo(RecordImage.of(before));
            return;
        }
        assertThat(RecordImage.of(after)).isEqualTo(expected(before, change, Status.valueOf(entry), after));
        assertThat(after.times().createdAt()).isEqualTo(before.times().createdAt());
        assertThat(after.times().updatedAt()).isBetween(asked, answered);
        if (change instanceof Change.Renew renew) {
            assertThat(after.times().leaseUntil())
                    .isBetween(asked + micros(renew.lease()), answered + micros(renew.lease()));
        } else if (change instanceof Change.SaveCheckpoint) {
            assertThat(after.times().leaseUntil()).isEqualTo(before.times().leaseUntil());
        }
        if (after.status().sweepable()) {
            long keep = micros(KEPT.duration());
            assertThat(after.times().expireAt())
                    .as("keep counts from the end")
                    .isBetween(asked + keep, answered + keep);
            long tombstone = after.status() == Status.FREE ? 0 : micros(KEPT.tombstone());
            assertThat(after.times().goneAt() - after.times().expireAt()).isEqualTo(tombstone);
        }
        repeatedIsTheSame(held, change, after);
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESSING", "UNKNOWN"})
    void an_attempt_that_never_began_does_not_count(Status from) {
        StoredRecord running = bring(from, LONG);
        Change release = new Change.Release(KEPT, false);
        for (int repeated = 0; repeated < 2; repeated++) {
            apply(running.ticket(), release);
            assertThat(find(running.id()).status()).isEqualTo(Status.FREE);
            assertThat(find(running.id()).attempts()).isEqualTo(running.attempts() - 1);
        }
    }

    private void strangersLose(StoredRecord there, Change change) {
        Ticket held = there.ticket();
        lose(new Ticket(held.id(), owner(), held.fence()), change);
        lose(new Ticket(held.id(), held.owner(), held.fence() - 1), change);
        lose(new Ticket(held.id(), held.owner(), held.fence() + 1), change);
        unchanged(RecordImage.of(there), there.id());
    }

    private void repeatedIsTheSame(Ticket held, Change change, StoredRecord after) {
        apply(held, change);
        if (change instanceof Change.Amend) {
            assertThat(find(after.id()).payload()).isEqualTo(after.payload());
        } else if (after.status() != Status.PROCESSING) {
            unchanged(RecordImage.of(after), after.id());
        }
    }

    private static RecordImage expected(StoredRecord before, Change change, Status to, StoredRecord after) {
        RecordImage was = RecordImage.of(before);
        boolean settled = change instanceof Change.Settle;
        UUID owner = change instanceof Change.Settle settle ? settle.settler() : before.owner();
        if (settled) {
            assertThat(after.fence()).as("fence of a settlement").isGreaterThan(before.fence());
        }
        return new RecordImage(
                was.scope(),
                was.operation(),
                was.key(),
                to,
                owner,
                settled ? after.fence() : before.fence(),
                change instanceof Change.Settle settle && settle.anyway() && to == Status.FREE ? 0 : before.attempts(),
                after.times(),
                was.hash(),
                was.fields(),
                was.superseded(),
                written(change),
                change instanceof Change.SaveCheckpoint checkpoint
                        ? RecordImage.hex(checkpoint.data())
                        : to.finished() ? null : was.checkpoint(),
                was.bizId());
    }

    private static @Nullable ResultPayload written(Change change) {
        if (change instanceof Change.Complete complete) {
            return complete.result();
        }
        if (change instanceof Change.Amend amend) {
            return amend.result();
        }
        if (change instanceof Change.Fail fail) {
            return fail.failure();
        }
        if (change instanceof Change.MarkUnknown unknown) {
            return unknown.note();
        }
        return change instanceof Change.Settle settle ? settle.payload() : null;
    }

    @ParameterizedTest
    @EnumSource(UpdateCase.class)
    void a_change_to_what_is_not_there_is_lost_and_makes_nothing(UpdateCase wish) {
        RecordId id = id();
        lose(new Ticket(id, owner(), 1), wish.change());
        assertThat(absent(id)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(UpdateCase.class)
    @Tag("invariant-2")
    void an_overtaken_owner_changes_nothing(UpdateCase wish) {
        StoredRecord lost = bring(Status.PROCESSING, SHORT);
        fixture().pass(SHORT);
        win(full(lost.id(), LONG).retaking(TakeoverReason.LEASE_OVER, lost, List.of()));
        RecordImage before = picture(lost.id());
        lose(lost.ticket(), wish.change());
        unchanged(before, lost.id());
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL", "RELEASE", "RENEW", "CHECKPOINT", "DOUBT"})
    void an_owner_whose_lease_is_over_holds_its_record_until_someone_else_takes_it(UpdateCase wish) {
        StoredRecord late = bring(Status.PROCESSING, SHORT);
        fixture().pass(SHORT);
        apply(late.ticket(), wish.change());
    }

    @Test
    @Tag("invariant-7")
    void others_may_doubt_a_record_only_when_its_lease_is_over_by_the_stores_clock() {
        StoredRecord late = bring(Status.PROCESSING, SHORT);
        fixture().pass(SHORT);
        apply(late.ticket(), UpdateCase.DOUBT_IF_OVER.change());
        assertThat(find(late.id()).status()).isEqualTo(Status.UNKNOWN);

        StoredRecord renewed = bring(Status.PROCESSING, SHORT);
        apply(renewed.ticket(), UpdateCase.RENEW.change());
        fixture().pass(SHORT);
        lose(renewed.ticket(), UpdateCase.DOUBT_IF_OVER.change());
        assertThat(find(renewed.id()).status()).isEqualTo(Status.PROCESSING);
    }

    static Stream<Arguments> settlementsAndLateWords() {
        return Stream.of(UpdateCase.SETTLE_SUCCESS, UpdateCase.SETTLE_FAILED, UpdateCase.SETTLE_FREE)
                .flatMap(settlement -> Stream.of(UpdateCase.COMPLETE, UpdateCase.FAIL, UpdateCase.RELEASE)
                        .map(word -> Arguments.of(settlement, word)));
    }

    @ParameterizedTest
    @MethodSource("settlementsAndLateWords")
    void the_late_owners_word_after_settlement_is_refused(UpdateCase settlement, UpdateCase word) {
        StoredRecord unknown = bring(Status.UNKNOWN, LONG);
        apply(unknown.ticket(), settlement.change());
        RecordImage settled = picture(unknown.id());
        lose(unknown.ticket(), word.change());
        unchanged(settled, unknown.id());
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL", "RELEASE"})
    void the_late_owners_word_after_a_take_is_refused(UpdateCase word) {
        StoredRecord unknown = bring(Status.UNKNOWN, LONG);
        win(full(unknown.id(), LONG).retaking(TakeoverReason.UNKNOWN, unknown, List.of()));
        RecordImage taken = picture(unknown.id());
        lose(unknown.ticket(), word.change());
        unchanged(taken, unknown.id());
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL", "RELEASE"})
    void the_late_owners_word_settles_a_doubt(UpdateCase word) {
        StoredRecord late = bring(Status.PROCESSING, SHORT);
        fixture().pass(SHORT);
        apply(late.ticket(), UpdateCase.DOUBT_IF_OVER.change());
        Change change = word.change();
        apply(late.ticket(), change);
        assertThat(find(late.id()).payload()).isEqualTo(written(change));
        RecordImage ended = picture(late.id());
        lose(late.ticket(), UpdateCase.SETTLE_SUCCESS.change());
        unchanged(ended, late.id());
    }

    @Test
    void what_the_late_owner_has_released_may_be_claimed_again() {
        StoredRecord late = bring(Status.PROCESSING, SHORT);
        fixture().pass(SHORT);
        apply(late.ticket(), UpdateCase.DOUBT_IF_OVER.change());
        apply(late.ticket(), UpdateCase.RELEASE.change());
        StoredRecord free = find(late.id());
        assertThat(free.checkpoint()).isEqualTo(late.checkpoint());
        Ticket next = win(full(late.id(), LONG).retaking(TakeoverReason.FREE, free, List.of()));
        assertThat(next.fence()).isGreaterThan(late.fence());
        lose(late.ticket(), UpdateCase.RELEASE.change());
    }

    @Test
    void what_was_amended_is_met_as_amended_though_it_was_met_before() {
        StoredRecord done = bring(Status.SUCCESS, LONG);
        assertThat(met(done.id()).payload()).isEqualTo(value("first"));
        apply(done.ticket(), UpdateCase.AMEND.change());
        assertThat(met(done.id()).payload()).isEqualTo(value("second"));
    }

    private StoredRecord met(RecordId id) {
        return ((RecordSnapshot) store().claim(full(id, LONG))).record();
    }

    @Test
    void a_settler_is_not_overruled_by_another_one() {
        StoredRecord unknown = bring(Status.UNKNOWN, LONG);
        apply(unknown.ticket(), UpdateCase.SETTLE_SUCCESS.change());
        RecordImage settled = picture(unknown.id());
        lose(unknown.ticket(), UpdateCase.OVERRULE_FAILED.change());
        lose(find(unknown.id()).ticket(), UpdateCase.OVERRULE_FAILED.change());
        unchanged(settled, unknown.id());
    }

    @Test
    void a_renewed_lease_holds() {
        Claim claim = full(id(), SHORT);
        Ticket ticket = win(claim);
        apply(ticket, UpdateCase.RENEW.change());
        fixture().pass(SHORT);
        assertThat(win(claim)).isEqualTo(ticket);
    }
}
