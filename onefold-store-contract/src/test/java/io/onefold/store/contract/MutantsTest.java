package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.onefold.Key;
import io.onefold.NaiveEngine;
import io.onefold.NaiveEngine.Mistake;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Work;
import io.onefold.payload.Fingerprinter;
import io.onefold.store.BrokenStore;
import io.onefold.store.Store;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Breaks stores and engines on purpose, one bug at a time, and names the case that must notice. */
class MutantsTest {

    /** Peers' bugs by their number; a defect of ours without one. The case is the one written against that bug. */
    private static final String TABLE = """
            B1  CHECK_THEN_ACT                                 of_many_claims_for_one_key_exactly_one_wins_and_the_others_meet_the_winner
            B4  CHANGES_WITHOUT_OWNER                          a_change_is_applied_from_the_states_it_may_start_from_and_under_its_ticket_alone
            B4  CHANGES_WITHOUT_FENCE                          a_change_is_applied_from_the_states_it_may_start_from_and_under_its_ticket_alone
            B5  COMPLETES_WHATEVER_IS_THERE                    a_change_is_applied_from_the_states_it_may_start_from_and_under_its_ticket_alone
            B8  SUCCESS_BEFORE_ITS_RESULT                      a_result_is_never_seen_by_halves
            B9  CACHES_BEFORE_THE_TRUTH                        an_overtaken_owner_changes_nothing
            B10 A_REFUSED_TAKE_STAYS                           a_record_is_taken_on_good_grounds_alone
            B11 A_CLAIM_MEETS_ITS_OWN_LOCK                     the_first_claim_wins_and_writes_what_it_carries
            B15 A_LOST_RACE_IS_AN_ERROR                        of_many_claims_for_one_key_exactly_one_wins_and_the_others_meet_the_winner
            B17 A_LEASE_THAT_IS_OVER_TAKES_THE_RECORD_WITH_IT  a_record_stays_when_its_lease_is_over
            -   FENCES_BEGIN_ANEW                              fences_rise_even_after_the_record_was_swept
            -   FENCES_FOLLOW_THE_CLOCK                        fences_rise_although_the_clock_was_set_back_after_the_sweep
            -   TWO_OWNERS_OF_A_FENCE                          random_interleavings_do_not_contradict_each_other
            -   SWEEPS_THE_UNKNOWN                             a_sweep_never_touches_what_is_under_way_or_unknown
            -   RELEASES_THE_FINGERPRINT                       a_fingerprint_without_fields_and_none_at_all_stay_so
            -   FORGETS_WHAT_IT_OVERWRITES                     an_attempt_that_comes_to_nothing_leaves_the_end_that_it_was_to_overwrite
            -   ONE_BAD_ITEM_SPOILS_THE_BATCH                  a_failing_item_fails_alone
            B14 DIGESTS_ARE_TRUSTED                            a_forged_id_is_refused_and_never_answered
            -   A_REPEATED_CLAIM_MEETS_ITSELF                  a_claim_whose_answer_was_lost_recognises_itself
            B2  DUPLICATE_GETS_NULL                            a_duplicate_of_what_is_under_way_is_told_so_and_never_gets_an_empty_result
            B3  WAITER_DELETES_THE_CLAIM                       a_waiter_that_gives_up_leaves_the_owners_record_alone
            B6  STORE_FAILURE_MEANS_GO_AHEAD                   without_an_answer_to_the_claim_the_work_does_not_run_and_no_claim_stays
            B7  SUCCESS_BECOMES_FAILURE                        a_result_that_the_store_did_not_hear_is_told_again
            B16 BUSY_BEFORE_CONFLICT                           a_conflict_wins_over_in_progress
            B18 LEASE_OVER_MEANS_FREE                          when_the_lease_is_over_the_outcome_is_unknown_and_nothing_runs_again
            B19 OVERSIZE_IS_NOT_STORED                         a_result_too_large_to_keep_is_replayed_without_value_and_never_run_again
            B20 DELIMITED                                      payloads_that_differ_anywhere_conflict
            B20 ROUNDED                                        payloads_that_differ_anywhere_conflict
            B20 PREFIX                                         payloads_that_differ_anywhere_conflict
            """;

    /** What is wrong with the contract's subject; set before each run. */
    private static volatile String defect = "NONE";

    @TestFactory
    Stream<DynamicTest> each_mutant_is_caught_by_its_case() {
        return TABLE.lines().map(line -> line.split("\\s+")).map(mutant -> {
            String name = mutant[0] + " " + mutant[1] + " is caught by " + mutant[2];
            return DynamicTest.dynamicTest(name, () -> {
                Class<?> contract = contract(mutant[1]);
                assertThat(failures(contract, mutant[1], mutant[2]))
                        .as("failed cases")
                        .containsOnly(mutant[2]);
                assertThat(failures(contract, "NONE", mutant[2]))
                        .as("failed cases without the defect")
                        .isEmpty();
            });
        });
    }

    private static Class<?> contract(String mutant) {
        return Stream.of(BrokenStore.values()).anyMatch(store -> store.name().equals(mutant))
                ? OnBrokenStore.class
                : Stream.of(Mistake.values()).anyMatch(mistake -> mistake.name().equals(mutant))
                        ? WithNaiveEngine.class
                        : WithPoorFingerprints.class;
    }

    /** The named cases of the contract that failed; they must all have been run. */
    private static Set<String> failures(Class<?> contract, String mutant, String... cases) {
        defect = mutant;
        List<String> wanted = Arrays.asList(cases);
        PostDiscoveryFilter named = descriptor -> FilterResult.includedIf(descriptor
                .getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> wanted.contains(((MethodSource) source).getMethodName()))
                .orElse(false));
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(contract))
                .filters(named)
                .execute()
                .testEvents();
        assertThat(tests.started().count()).as("cases run").isPositive();
        Set<String> failed = new TreeSet<>();
        tests.finished().stream()
                .filter(event ->
                        event.getRequiredPayload(TestExecutionResult.class).getStatus()
                                != TestExecutionResult.Status.SUCCESSFUL)
                .forEach(event -> failed.add(
                        ((MethodSource) event.getTestDescriptor().getSource().orElseThrow()).getMethodName()));
        return failed;
    }

    static class OnBrokenStore extends StoreContract {
        @Override
        protected StoreFixture open() {
            return MemoryFixture.of(BrokenStore.valueOf(defect)::open);
        }
    }

    static class WithNaiveEngine extends StoreContract {
        @Override
        protected StoreFixture open() {
            return MemoryFixture.of(BrokenStore.NONE::open);
        }

        @Override
        protected EngineCaller engine(EngineCaller.CallStyle way, Store store, Onefold.Builder builder) {
            return new NaiveEngine(store, Mistake.valueOf(defect));
        }
    }

    static class WithPoorFingerprints extends StoreContract {
        @Override
        protected StoreFixture open() {
            return MemoryFixture.of(BrokenStore.NONE::open);
        }

        @Override
        protected EngineCaller engine(EngineCaller.CallStyle way, Store store, Onefold.Builder builder) {
            return new Poor(way.into(builder.build()), poor(defect));
        }

        private static Function<@Nullable Object, @Nullable Object> poor(String how) {
            return switch (how) {
                case "DELIMITED" ->
                    payload -> payload instanceof List<?> list
                            ? String.join(
                                    ",", list.stream().map(String::valueOf).toList())
                            : payload;
                case "ROUNDED" -> payload -> payload instanceof Number number ? (Object) number.doubleValue() : payload;
                case "PREFIX" ->
                    payload -> {
                        String text = String.valueOf(payload);
                        return text.substring(0, Math.min(text.length(), 65_536));
                    };
                default -> payload -> payload;
            };
        }
    }

    private record Poor(EngineCaller engine, Function<@Nullable Object, @Nullable Object> fingerprint)
            implements EngineCaller {
        @Override
        public <T> Outcome<T> attempt(Operation<T> operation, Key key, Work<T, ?> work) throws Exception {
            return engine.attempt(operation, key, work);
        }

        @Override
        public Key key(String value, @Nullable Object payload) {
            return Key.of(value).matching(Fingerprinter.standard().value(fingerprint.apply(payload)));
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
