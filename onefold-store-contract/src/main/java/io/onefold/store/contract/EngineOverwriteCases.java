package io.onefold.store.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.NotExecutedException;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.WorkNotStartedException;
import io.onefold.payload.JsonCodec;
import io.onefold.payload.MacSeal;
import io.onefold.payload.ResultSerializer;
import io.onefold.store.Change;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.UpdateResult;
import io.onefold.store.contract.FaultyStore.FaultMoment;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads that overwrite the result of an earlier one. */
@Tag("invariant-4")
abstract class EngineOverwriteCases extends EngineCases {
    private final String value = "key-" + UUID.randomUUID();
    private final Key first = Key.of(value).bizId("first").matching("first");
    private final Key second = Key.of(value).bizId("second").matching("second");

    EngineOverwriteCases(StoreContract contract) {
        super(contract);
    }

    @BeforeEach
    final void runFirst() throws Exception {
        executed(engine().attempt(overwriting(), first, returning("first answer")), "first answer");
    }

    private Operation<String> overwriting() {
        return operation().overwrite().retryOn(IOException.class).waitFor(Duration.ZERO);
    }

    private void firstAnswers(Operation<String> operation) throws Exception {
        replays(engine().attempt(operation, first, never()), "first answer");
        assertThat(Objects.requireNonNull(record(value)).bizId()).isEqualTo("first");
    }

    private void secondOverwrites(Operation<String> operation) throws Exception {
        executed(engine().attempt(operation, second, returning("second answer")), "second answer");
        replays(engine().attempt(operation, second, never()), "second answer");
        isSuperseded(engine().attempt(operation, first, never()));
    }

    private static void isSuperseded(Outcome<String> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
        assertThat(((Outcome.Rejected<String>) outcome).reason()).isEqualTo(Outcome.RejectionReason.SUPERSEDED);
    }

    @Test
    void while_a_payload_is_under_way_the_one_that_it_overwrites_is_refused() throws Exception {
        RunningCall owner = begin(overwriting(), second);
        isSuperseded(engine().attempt(overwriting(), first, never()));
        assertThat(engine().attempt(overwriting(), second, never())).isInstanceOf(Outcome.InProgress.class);
        executed(owner.end(), "from attempt 1");
        isSuperseded(engine().attempt(overwriting(), first, never()));
    }

    private void fails(Operation<String> operation, Exception with) {
        assertThatThrownBy(() -> engine().attempt(operation, second, attempt -> {
                    throw with;
                }))
                .isSameAs(with);
    }

    static Stream<Exception> withoutEffect() {
        return Stream.of(
                new IOException("nobody was reached"),
                new NotExecutedException("nothing happened", null),
                new WorkNotStartedException("not even begun", null));
    }

    @ParameterizedTest
    @MethodSource("withoutEffect")
    void a_payload_that_fails_without_effect_leaves_the_earlier_answer(Exception thrown) throws Exception {
        fails(overwriting(), thrown);
        firstAnswers(overwriting());
        secondOverwrites(overwriting());
    }

    @ParameterizedTest
    @EnumSource(FaultMoment.class)
    void a_release_that_is_told_again_puts_the_earlier_answer_back_once(FaultMoment when) throws Exception {
        store().fail(Change.Release.class, when, 2);
        IOException thrown = new IOException("nobody was reached");
        fails(overwriting(), thrown);
        eventually("released", () -> status(value) == Status.SUCCESS);
        firstAnswers(overwriting());
        secondOverwrites(overwriting());
    }

    @Test
    void a_claim_that_is_withdrawn_leaves_the_earlier_answer() throws Exception {
        FaultyStore silent = faultyStore();
        silent.fail(Takeover.class, FaultMoment.AFTER, FaultyStore.ALWAYS);
        EngineCaller deaf = engine(silent, builder -> builder);
        assertThatThrownBy(() -> deaf.attempt(overwriting(), second, never())).isInstanceOf(StoreException.class);
        eventually("the claim is withdrawn", () -> status(value) == Status.SUCCESS);
        firstAnswers(overwriting());
        secondOverwrites(overwriting());
    }

    @Test
    void a_failure_with_effect_takes_the_place_of_the_earlier_answer() throws Exception {
        Operation<String> operation = overwriting().failOn(IllegalArgumentException.class);
        fails(operation, new IllegalArgumentException("no such account"));
        assertThat(engine().attempt(operation, second, never())).isInstanceOf(Outcome.Failed.class);
        assertThat(engine().attempt(operation, first, never())).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void a_failure_that_was_overwritten_in_vain_is_told_again() throws Exception {
        Operation<String> operation = overwriting().failOn(IllegalArgumentException.class);
        fails(operation, new IllegalArgumentException("no such account"));
        Key third = Key.of(value).matching("third");
        IOException nothing = new IOException("nobody was reached");
        assertThatThrownBy(() -> engine().attempt(operation, third, attempt -> {
                    throw nothing;
                }))
                .isSameAs(nothing);
        assertThat(engine().attempt(operation, second, never())).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void released_attempts_to_overwrite_do_not_add_up() throws Exception {
        Operation<String> operation = overwriting().maxAttempts(2);
        for (int time = 0; time < 4; time++) {
            fails(operation, new IOException("nobody was reached"));
            firstAnswers(operation);
        }
        secondOverwrites(operation);
    }

    @Test
    void where_one_attempt_is_all_a_failure_to_overwrite_is_final() throws Exception {
        Operation<String> operation = operation().overwrite().maxAttempts(1).waitFor(Duration.ZERO);
        fails(operation, new NotExecutedException("nothing happened", null));
        assertThat(engine().attempt(operation, second, never())).isInstanceOf(Outcome.Failed.class);
    }

    /** An owner whose renewals never arrive, and whose lease is over. */
    private RunningCall lost(Operation<String> operation) {
        FaultyStore silent = faultyStore();
        silent.fail(Change.Renew.class, FaultMoment.BEFORE, FaultyStore.ALWAYS);
        RunningCall owner = begin(engine(silent, builder -> builder), operation, second);
        fixture().pass(LEASE);
        return owner;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void when_the_owner_is_lost_and_nothing_can_happen_any_more_the_earlier_answer_is_back(boolean person)
            throws Exception {
        Operation<String> brief = overwriting().lease(LEASE);
        RunningCall owner = lost(brief);
        assertThat(engine().attempt(brief, second, never())).isInstanceOf(Outcome.Unknown.class);
        isSuperseded(engine().attempt(brief, first, never()));
        StoredRecord unknown = Objects.requireNonNull(record(value));
        Change free = new Change.Settle(
                UUID.randomUUID(), Status.FREE, null, RetentionPeriod.of(Duration.ofHours(1)), person);
        assertThat(fixture().store().update(unknown.ticket(), free)).isEqualTo(UpdateResult.APPLIED);
        firstAnswers(brief);
        assertThat(owner.end()).isInstanceOf(Outcome.Overtaken.class);
        firstAnswers(brief);
        secondOverwrites(overwriting());
    }

    @Test
    void the_late_word_of_a_lost_owner_that_nothing_was_carried_out_brings_the_earlier_answer_back() throws Exception {
        Operation<String> brief = overwriting().lease(LEASE);
        RunningCall owner = lost(brief);
        assertThat(engine().attempt(brief, second, never())).isInstanceOf(Outcome.Unknown.class);
        IOException nothing = new IOException("nobody was reached");
        assertThatThrownBy(() -> owner.end(nothing)).isSameAs(nothing).hasNoSuppressedExceptions();
        firstAnswers(brief);
        secondOverwrites(overwriting());
    }

    @Test
    void whoever_takes_over_and_fails_without_effect_leaves_the_earlier_answer() throws Exception {
        Operation<String> brief = overwriting().lease(LEASE).safeToRepeat();
        RunningCall owner = lost(brief);
        fails(overwriting().safeToRepeat(), new IOException("nobody was reached"));
        firstAnswers(brief);
        assertThat(owner.end()).isInstanceOf(Outcome.Overtaken.class);
        firstAnswers(brief);
        secondOverwrites(overwriting());
    }

    @Test
    @Tag("invariant-12")
    void a_sealed_answer_that_was_put_back_can_be_read() throws Exception {
        byte[] secret = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
        ResultSerializer sealed =
                ResultSerializer.with(new JsonCodec()).sealedBy(MacSeal.of("k1", Map.of("k1", secret)));
        EngineCaller door = engine(store(), builder -> builder.results(sealed));
        Key one = Key.of("sealed-" + value).matching("first");
        executed(door.attempt(overwriting(), one, returning("sealed answer")), "sealed answer");
        NotExecutedException nothing = new NotExecutedException("nothing happened", null);
        assertThatThrownBy(() ->
                        door.attempt(overwriting(), Key.of("sealed-" + value).matching("second"), attempt -> {
                            throw nothing;
                        }))
                .isSameAs(nothing);
        replays(door.attempt(overwriting(), one, never()), "sealed answer");
    }
}
