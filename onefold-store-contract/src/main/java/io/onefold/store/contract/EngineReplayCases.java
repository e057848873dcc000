package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.TypeRef;
import io.onefold.payload.ResultSerializer;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases for one effect and one response. */
abstract class EngineReplayCases extends EngineCases {
    EngineReplayCases(StoreContract contract) {
        super(contract);
    }

    @Test
    @Tag("invariant-1")
    void of_many_concurrent_duplicates_one_runs_and_the_others_replay_its_result() {
        Key key = key();
        Callable<Outcome<String>> call =
                () -> engine().attempt(operation().waitFor(Duration.ofSeconds(20)), key, attempt -> {
                    int run = runs.incrementAndGet();
                    LockSupport.parkNanos(20_000_000);
                    return "run " + run;
                });
        List<Outcome<String>> outcomes =
                ConcurrentTasks.run(IntStream.range(0, 12).mapToObj(i -> call).toList());
        assertThat(runs).hasValue(1);
        assertThat(outcomes.stream().collect(Collectors.groupingBy(outcome -> outcome, Collectors.counting())))
                .isEqualTo(
                        Map.of(new Outcome.Executed<>("run 1", true), 1L, new Outcome.Replayed<>("run 1", true), 11L));
    }

    static Stream<Arguments> results() {
        return Stream.of(
                Arguments.of(new TypeRef<Void>() {}, null),
                Arguments.of(new TypeRef<String>() {}, null),
                Arguments.of(new TypeRef<String>() {}, ""),
                Arguments.of(new TypeRef<Integer>() {}, 0),
                Arguments.of(new TypeRef<Boolean>() {}, false),
                Arguments.of(new TypeRef<BigDecimal>() {}, new BigDecimal("0.10")),
                Arguments.of(new TypeRef<List<String>>() {}, List.of()),
                Arguments.of(new TypeRef<Map<String, List<Integer>>>() {}, Map.of("a", List.of(1, 2), "b", List.of())),
                Arguments.of(new TypeRef<String>() {}, "ä😀\u0000\"\\"));
    }

    @ParameterizedTest
    @MethodSource("results")
    @Tag("invariant-12")
    @Tag("invariant-20")
    void every_result_replays_as_itself(TypeRef<Object> type, @Nullable Object result) throws Exception {
        Operation<Object> operation = Operation.of(name, type);
        Key key = key();
        executed(engine().attempt(operation, key, attempt -> result), result);
        Outcome<Object> again = engine().attempt(operation, key, attempt -> {
            throw new AssertionError("the work ran again");
        });
        replays(again, result);
    }

    @Test
    @Tag("invariant-12")
    void a_result_too_large_to_keep_is_replayed_without_value_and_never_run_again() throws Exception {
        Operation<String> operation = operation().maxResultBytes(10);
        Key key = key();
        executed(engine().attempt(operation, key, returning("x".repeat(100))), "x".repeat(100));
        for (int i = 0; i < 2; i++) {
            assertThat(engine().attempt(operation, key, never())).isEqualTo(new Outcome.Replayed<>(null, false));
        }
    }

    @Test
    @Tag("invariant-12")
    void a_result_that_the_store_refuses_is_replayed_without_value_and_never_run_again() throws Exception {
        store().refuse(200);
        String key = "key-" + name;
        executed(engine().attempt(operation(), Key.of(key), returning("x".repeat(300))), "x".repeat(300));
        assertThat(status(key)).isEqualTo(Status.SUCCESS);
        assertThat(engine().attempt(operation(), Key.of(key), never())).isEqualTo(new Outcome.Replayed<>(null, false));
    }

    @Test
    void a_failure_whose_text_the_store_refuses_is_a_failure_all_the_same() throws Exception {
        store().refuse(200);
        String key = "key-" + name;
        Operation<String> operation = operation().failOn(IllegalArgumentException.class);
        IllegalArgumentException thrown = new IllegalArgumentException("x".repeat(300));
        assertThatThrownBy(() -> engine().attempt(operation, Key.of(key), attempt -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(engine().attempt(operation, Key.of(key), never()))
                .isEqualTo(new Outcome.Failed<>(
                        new ResultSerializer.StoredFailure(thrown.getClass().getName(), null, null)));
    }

    @Test
    void duplicates_are_refused_in_the_operations_own_words() throws Exception {
        Operation<String> operation = operation().rejectDuplicates("submitted already");
        Key key = key();
        executed(attempt(operation, key), "done");
        assertThat(engine().attempt(operation, key, never()))
                .isEqualTo(new Outcome.Rejected<>(Outcome.RejectionReason.DUPLICATE, "submitted already"));
    }

    @Test
    void a_new_payload_overwrites_the_result_and_an_overwritten_one_is_refused() throws Exception {
        Operation<String> operation = operation().overwrite();
        String key = "key-" + name;
        executed(engine().attempt(operation, engine().key(key, "first"), returning("one")), "one");
        executed(engine().attempt(operation, engine().key(key, "second"), returning("two")), "two");
        replays(engine().attempt(operation, engine().key(key, "second"), never()), "two");
        assertThat(engine().attempt(operation, engine().key(key, "first"), never()))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Outcome.RejectionReason.SUPERSEDED));
        executed(engine().attempt(operation, engine().key(key, "third"), returning("three")), "three");
        assertThat(runs).hasValue(3);
    }

    @Test
    @Tag("invariant-22")
    @Tag("invariant-29")
    void a_duplicate_after_the_keep_runs_as_new() throws Exception {
        Operation<String> operation = operation().waitFor(Duration.ZERO).keepFor(LEASE);
        Key key = key();
        executed(attempt(operation, key), "done");
        fixture().pass(LEASE);
        executed(attempt(operation, key), "done");
        assertThat(runs).hasValue(2);
    }

    @Test
    @Tag("invariant-22")
    void a_duplicate_after_the_keep_is_refused_while_a_tombstone_stands() throws Exception {
        Operation<String> operation =
                operation().waitFor(Duration.ZERO).keepFor(LEASE).refuseLateDuplicates(Duration.ofHours(1));
        Key key = key();
        executed(attempt(operation, key), "done");
        fixture().pass(LEASE);
        late(operation, key);
        SweepLoop.all(fixture().store());
        late(operation, key);
    }

    private void late(Operation<String> operation, Key key) throws Exception {
        assertThat(engine().attempt(operation, key, never()))
                .isInstanceOfSatisfying(
                        Outcome.Rejected.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Outcome.RejectionReason.LATE));
    }

    @Test
    void hashed_keys_work_like_plain_ones_and_meet_them() throws Exception {
        Operation<String> plain = operation();
        Operation<String> hashed = operation().hashKeys();
        executed(attempt(hashed, Key.of("secret")), "done");
        replays(engine().attempt(hashed, Key.of("secret"), never()), "done");
        replays(engine().attempt(plain, Key.of("secret"), never()), "done");
        RecordSnapshot seen = fixture().store().find(RecordId.hashed("", name, "secret"));
        assertThat(Objects.requireNonNull(seen).record().id().key()).doesNotContain("secret");

        executed(attempt(plain, Key.of("known")), "done");
        replays(engine().attempt(hashed, Key.of("known"), never()), "done");
    }

    @Test
    @Tag("invariant-9")
    void scopes_and_operations_do_not_see_each_other() throws Exception {
        Key key = key();
        Operation<String> other = Operation.of(name + "-other", String.class);
        List<Key> keys = List.of(key, key.in("a"), key.in("b"), key.in("a", "b"), key.in("a/b"));
        for (Key each : keys) {
            executed(attempt(operation(), each), "done");
        }
        executed(attempt(other, key), "done");
        assertThat(runs).hasValue(keys.size() + 1);
        for (Key each : keys) {
            replays(engine().attempt(operation(), each, never()), "done");
        }
    }

    @Test
    @Tag("invariant-15")
    void calls_may_be_nested() throws Exception {
        Operation<String> inner = Operation.of(name + "-inner", String.class);
        Key key = key();
        for (int i = 0; i < 2; i++) {
            Outcome<String> outcome = engine().attempt(operation(), key, attempt -> {
                runs.incrementAndGet();
                String other = engine().attempt(inner, key, returning("inner")).orThrow();
                String sibling = engine().attempt(operation(), key.child("b"), returning("sibling"))
                        .orThrow();
                return other + " " + sibling;
            });
            assertThat(outcome.orThrow()).isEqualTo("inner sibling");
        }
        assertThat(runs).hasValue(3);
    }

    @Test
    void a_listener_that_throws_hurts_nobody() throws Exception {
        EngineCaller listened = engine(
                store(),
                builder -> builder.listener(event -> {
                    throw new IllegalStateException("a listener of no use");
                }));
        Key key = key();
        executed(listened.attempt(operation(), key, returning("done")), "done");
        replays(listened.attempt(operation(), key, never()), "done");
    }

    @Test
    void the_business_id_is_kept_with_the_record() throws Exception {
        String key = "key-" + name;
        attempt(operation(), Key.of(key).bizId("order-7"));
        StoredRecord record = Objects.requireNonNull(record(key));
        assertThat(record.bizId()).isEqualTo("order-7");
    }
}
