package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoredFingerprint;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An attempt that overwrites a finished record, and the end that is put back if nothing is carried out. */
abstract class OverwriteCases extends StoreCases {
    private static final RetentionPeriod KEPT = new RetentionPeriod(LONG, LONG.multipliedBy(2));

    OverwriteCases(StoreContract contract) {
        super(contract);
    }

    /** The course of an attempt until somebody reports that nothing was carried out. */
    enum AttemptCourse {
        CLAIMED,
        RENEWED,
        CHECKPOINTED,
        IN_DOUBT,
        TAKEN_OVER,
        TAKEN_OVER_IN_DOUBT,
        REPLACED_IN_DOUBT
    }

    /** The source of the report that nothing was carried out. */
    enum NotExecutedSource {
        RELEASE,
        NOT_BEGUN,
        PROBE,
        PERSON;

        Change change() {
            return switch (this) {
                case RELEASE -> new Change.Release(KEEP);
                case NOT_BEGUN -> new Change.Release(KEEP, false);
                default -> new Change.Settle(owner(), Status.FREE, null, KEEP, this == PERSON);
            };
        }
    }

    static Stream<Arguments> ways() {
        return Stream.of(Status.SUCCESS, Status.FAILED)
                .flatMap(end -> Stream.of(AttemptCourse.values())
                        .flatMap(course -> Stream.of(NotExecutedSource.values())
                                // a probe is asked about doubts alone
                                .filter(word -> word != NotExecutedSource.PROBE || course == AttemptCourse.IN_DOUBT)
                                .map(word -> Arguments.of(end, course, word))));
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @MethodSource("ways")
    @Tag("invariant-2")
    void an_attempt_that_comes_to_nothing_leaves_the_end_that_it_was_to_overwrite(
            Status end, AttemptCourse course, NotExecutedSource word) {
        StoredRecord earlier = bring(end, KEPT);
        Ticket attempt = after(course, overwrite(earlier));
        Change nothing = word.change();

        apply(attempt, nothing);

        StoredRecord restored = restored(earlier, attempt);
        apply(attempt, nothing);
        unchanged(RecordImage.of(restored), earlier.id());
        lose(new Ticket(attempt.id(), attempt.owner(), attempt.fence() - 1), new Change.Release(KEEP));
        lose(new Ticket(attempt.id(), owner(), attempt.fence()), new Change.Release(KEEP));
        lose(attempt, new Change.Complete(value("second"), KEEP));
        lose(attempt, new Change.Amend(value("second"), KEEP));
        lose(attempt, new Change.Fail(payload(ResultPayload.Kind.FAILURE, "second"), KEEP));
        lose(attempt, new Change.Renew(LONG));
        lose(earlier.ticket(), new Change.Amend(value("second"), KEEP));
        unchanged(RecordImage.of(restored), earlier.id());
    }

    private Ticket after(AttemptCourse course, Ticket claimed) {
        Change doubt = new Change.MarkUnknown(payload(ResultPayload.Kind.NOTE, "lost"), false);
        switch (course) {
            case CLAIMED -> {}
            case RENEWED -> apply(claimed, new Change.Renew(LONG));
            case CHECKPOINTED -> apply(claimed, new Change.SaveCheckpoint(bytes("half-way")));
            case TAKEN_OVER -> {
                apply(claimed, new Change.Renew(SHORT));
                fixture().pass(SHORT);
            }
            default -> apply(claimed, doubt);
        }
        StoredRecord there = find(claimed.id());
        return switch (course) {
            case TAKEN_OVER ->
                win(full(claimed.id(), LONG).overwriting().retaking(TakeoverReason.LEASE_OVER, there, List.of()));
            case TAKEN_OVER_IN_DOUBT ->
                win(full(claimed.id(), LONG).overwriting().retaking(TakeoverReason.UNKNOWN, there, List.of()));
            case REPLACED_IN_DOUBT ->
                win(full(claimed.id(), LONG).overwriting().replacing(TakeoverReason.UNKNOWN, there, List.of()));
            default -> claimed;
        };
    }

    @Test
    void what_was_put_back_answers_and_may_be_overwritten_again() {
        StoredRecord earlier = bring(Status.SUCCESS, KEPT);
        StoredRecord there = earlier;
        for (int again = 0; again < 3; again++) {
            Ticket attempt = overwrite(there);
            assertThat(find(earlier.id()).status()).isEqualTo(Status.PROCESSING);
            apply(attempt, new Change.Release(KEEP));
            there = restored(earlier, attempt);
            assertThat(RecordImage.of(
                            meet(full(earlier.id(), LONG).overwriting()).record()))
                    .isEqualTo(RecordImage.of(there));
        }
        Ticket last = overwrite(there);
        apply(last, new Change.Complete(value("last"), KEEP));
        assertThat(find(earlier.id()).payload()).isEqualTo(value("last"));
        lose(last, new Change.Release(KEEP));
    }

    static Stream<Arguments> ends() {
        return Stream.of(
                Arguments.of("complete", new Change.Complete(value("second"), KEPT)),
                Arguments.of("fail", new Change.Fail(payload(ResultPayload.Kind.FAILURE, "second"), KEPT)),
                Arguments.of("settle", new Change.Settle(owner(), Status.SUCCESS, value("second"), KEPT, true)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ends")
    void an_attempt_that_ends_drops_the_end_that_it_has_overwritten(String name, Change end) {
        StoredRecord first = bring(Status.SUCCESS, KEPT);
        Ticket overwriting = overwrite(first);
        apply(overwriting, end);
        StoredRecord second = find(first.id());
        Ticket attempt = overwrite(second);
        apply(attempt, new Change.Release(KEEP));
        restored(second, attempt);
    }

    @ParameterizedTest
    @EnumSource(NotExecutedSource.class)
    void an_attempt_at_what_was_expired_has_nothing_to_put_back(NotExecutedSource word) {
        if (fixture().forgetsByItself()) {
            return;
        }
        StoredRecord old = bring(Status.SUCCESS, SHORT);
        fixture().pass(SHORT);
        Ticket attempt = win(full(old.id(), LONG).overwriting().replacing(TakeoverReason.EXPIRED, old, List.of()));
        apply(attempt, new Change.MarkUnknown(payload(ResultPayload.Kind.NOTE, "lost"), false));
        apply(attempt, word.change());
        assertThat(find(old.id()).status()).isEqualTo(Status.FREE);
    }

    @Test
    void what_is_put_back_after_its_keep_is_as_old_as_it_is() {
        Duration keep = Duration.ofMillis(400);
        StoredRecord earlier = bring(Status.SUCCESS, keep);
        Ticket attempt = overwrite(earlier);
        // on a slow machine a store that forgets by itself may have done so before there was anything to overwrite
        while (fixture().forgetsByItself() && fixture().now() >= earlier.times().expireAt()) {
            earlier = bring(Status.SUCCESS, keep);
            attempt = overwrite(earlier);
        }
        fixture().pass(keep);
        apply(attempt, new Change.Release(KEEP));
        if (fixture().forgetsByItself()) {
            assertThat(absent(earlier.id())).isTrue();
            win(full(earlier.id(), LONG));
            return;
        }
        StoredRecord restored = restored(earlier, attempt);
        win(full(earlier.id(), LONG).replacing(TakeoverReason.EXPIRED, restored, List.of()));
    }

    @Test
    void what_was_amended_since_it_was_seen_is_put_back_as_amended() {
        StoredRecord seen = bring(Status.SUCCESS, KEPT);
        apply(seen.ticket(), new Change.Amend(value("amended"), KEPT));
        StoredRecord amended = find(seen.id());
        Ticket attempt = overwrite(seen);
        apply(attempt, new Change.Release(KEEP));
        assertThat(restored(amended, attempt).payload()).isEqualTo(value("amended"));
    }

    @Test
    void a_large_result_comes_back_to_the_byte() {
        Claim claim = full(id(), LONG);
        ResultPayload large = new ResultPayload(ResultPayload.Kind.VALUE, "text", 7, "key 3", new byte[300_000]);
        large.bytes()[123_456] = '\'';
        apply(win(claim), new Change.Complete(large, KEPT));
        StoredRecord earlier = find(claim.id());
        Ticket attempt = overwrite(earlier);
        apply(attempt, new Change.MarkUnknown(payload(ResultPayload.Kind.NOTE, "lost"), false));
        assertThat(find(claim.id()).payload()).isEqualTo(payload(ResultPayload.Kind.NOTE, "lost"));
        apply(attempt, new Change.Release(KEEP));
        assertThat(restored(earlier, attempt).payload()).isEqualTo(large);
    }

    @Test
    void a_copy_of_an_attempt_does_not_bring_the_end_that_it_overwrites() {
        StoredRecord earlier = bring(Status.SUCCESS, KEPT);
        overwrite(earlier);
        StoredRecord open = find(earlier.id());
        StoredRecord copy = new StoredRecord(
                open.id(),
                Status.PROCESSING,
                owner(),
                open.fence() + 1,
                open.attempts(),
                open.times(),
                open.prints(),
                null,
                null,
                open.bizId());
        apply(copy.ticket(), new Change.Mirror(copy, LONG, LONG, Duration.ZERO));
        apply(copy.ticket(), new Change.Release(KEEP));
        assertThat(find(open.id()).status()).isEqualTo(Status.FREE);
    }

    @Test
    void a_sweep_leaves_an_attempt_and_the_end_that_it_overwrites_alone() {
        StoredRecord earlier = bring(Status.SUCCESS, new RetentionPeriod(Duration.ofMillis(400), LONG));
        Ticket attempt = overwrite(earlier);
        fixture().pass(Duration.ofMillis(400));
        store().sweep(100);
        apply(attempt, new Change.Release(KEEP));
        restored(earlier, attempt);
    }

    private Ticket overwrite(StoredRecord there) {
        StoredFingerprint print = StoredFingerprint.of(() -> bytes("new hash"), () -> bytes("new fields"));
        Claim claim = Claim.of(there.id(), owner(), LONG)
                .print(print)
                .bizId("new biz")
                .overwriting();
        return win(claim.replacing(TakeoverReason.OVERWRITE, there, List.of(bytes("hash"))));
    }

    /** Requires that the record is as it was, but for its fence, its owner and the time of the change. */
    private StoredRecord restored(StoredRecord earlier, Ticket attempt) {
        StoredRecord there = find(earlier.id());
        RecordImage was = RecordImage.of(earlier);
        StoredRecord.RecordTimes times = new StoredRecord.RecordTimes(
                earlier.times().createdAt(),
                there.times().updatedAt(),
                0,
                earlier.times().expireAt(),
                earlier.times().goneAt());
        assertThat(RecordImage.of(there))
                .isEqualTo(new RecordImage(
                        was.scope(),
                        was.operation(),
                        was.key(),
                        was.status(),
                        there.owner(),
                        there.fence(),
                        was.attempts(),
                        times,
                        was.hash(),
                        was.fields(),
                        was.superseded(),
                        was.payload(),
                        null,
                        was.bizId()));
        assertThat(there.fence()).as("fence").isGreaterThan(attempt.fence());
        assertThat(there.times().updatedAt())
                .isGreaterThanOrEqualTo(earlier.times().updatedAt());
        return there;
    }
}
