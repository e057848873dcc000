package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.onefold.servers.RedisServer;
import io.onefold.store.Store;
import io.onefold.store.contract.StoreContract;
import io.onefold.store.contract.StoreFixture;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/**
 * Breaks the scripts on purpose, one bug of a peer's at a time, and names the case that must notice. That the case passes without the
 * bug, {@link RedisStoreTest} and {@link MaskedLossTest} show.
 */
class RedisMutantsTest {

    /**
     * One bug.
     *
     * @param right what stands in the script
     * @param wrong what takes its place
     * @param noticed the case that fails
     * @param cases where it stands
     */
    private record Mutant(
            String bug, String script, String right, String wrong, String noticed, Class<? extends Broken> cases) {
        Mutant(String bug, String script, String right, String wrong, String noticed) {
            this(bug, script, right, wrong, noticed, OnBrokenRedis.class);
        }
    }

    /** Cases that run on broken scripts. */
    private interface Broken {}

    private static final String OVERWRITTEN_IN_VAIN =
            "an_attempt_that_comes_to_nothing_leaves_the_end_that_it_was_to_overwrite";

    private static final Mutant NONE = new Mutant("none", "claims", "", "", "");

    private static final List<Mutant> MUTANTS = List.of(
            new Mutant(
                    "B1 acts without a look",
                    "claims",
                    "local there = redis.pcall('GET', key)",
                    "local there = false",
                    "of_many_claims_for_one_key_exactly_one_wins_and_the_others_meet_the_winner"),
            new Mutant(
                    "B3 a waiter deletes the claim",
                    "claims",
                    "answers[i + 1] = there or risen",
                    "answers[i + 1] = there or risen; if there then redis.call('DEL', key) end",
                    "a_waiter_that_gives_up_leaves_the_owners_record_alone"),
            new Mutant(
                    "B4 changes without owner",
                    "changes",
                    "there:sub(3, 25) ~= holder",
                    "there:sub(19, 25) ~= holder:sub(17)",
                    "a_change_is_applied_from_the_states_it_may_start_from_and_under_its_ticket_alone"),
            new Mutant(
                    "B4 changes without fence",
                    "changes",
                    "there:sub(3, 25) ~= holder",
                    "there:sub(3, 18) ~= holder:sub(1, 16)",
                    "a_change_is_applied_from_the_states_it_may_start_from_and_under_its_ticket_alone"),
            new Mutant(
                    "B5 completes whatever is there",
                    "changes",
                    "bit.band(what, bit.lshift(8, state % 8)) == 0",
                    "false",
                    "a_change_is_applied_from_the_states_it_may_start_from_and_under_its_ticket_alone"),
            new Mutant(
                    "B8 success before its result",
                    "changes",
                    "    .. payload .. earlier\n",
                    "    .. earlier\n",
                    "results_come_back_to_the_byte"),
            new Mutant(
                    "B10 a refused take stays", "take", "not free or", "", "a_record_is_taken_on_good_grounds_alone"),
            new Mutant(
                    "B11 a claim meets its own lock",
                    "claims",
                    "local there = ",
                    "redis.call('SETNX', key, '\\1\\0' .. ARGV[at + 1] .. ('\\0'):rep(35) .. ARGV[at + 3]); local there = ",
                    "the_first_claim_wins_and_writes_what_it_carries"),
            new Mutant(
                    "B17 a lease that is over takes the record with it",
                    "claims",
                    ".. ARGV[at + 3])",
                    ".. ARGV[at + 3], 'PX', math.ceil(ARGV[at + 2] / 1000))",
                    "a_record_stays_when_its_lease_is_over"),
            new Mutant(
                    "a copy that is older takes the place of a newer one",
                    "mirror",
                    "stored > fence or",
                    "",
                    "a_copy_replaces_only_what_is_older_or_was_not_at_its_end"),
            new Mutant(
                    "names are not compared",
                    "changes",
                    "if not own or there",
                    "if there",
                    "a_forged_id_is_refused_and_never_answered"),
            new Mutant(
                    "fences begin anew",
                    "take",
                    "fence = rise(KEYS[5], fence)",
                    "fence = tonumber(ARGV[9]) or fence",
                    "a_record_is_taken_on_good_grounds_alone"),
            new Mutant(
                    "a first claim looks at the clock alone",
                    "claims",
                    "rise(KEYS[2], math.max(stored + 1, now))",
                    "math.max(stored + 1, now)",
                    "fences_rise_although_the_clock_was_set_back_after_the_sweep"),
            new Mutant(
                    "a fence is given twice",
                    "claims",
                    "wish = highest + 1",
                    "wish = highest",
                    "fences_rise_from_life_to_life_while_the_clock_is_behind"),
            new Mutant(
                    "the highest fence falls with the clock",
                    "claims",
                    "redis.call('SET', key, wish)",
                    "",
                    "fences_rise_from_life_to_life_while_the_clock_is_behind"),
            new Mutant(
                    "a takeover does not note its fence",
                    "take",
                    "fence = rise(KEYS[5], fence)",
                    "",
                    "fences_of_takeovers_hold_after_the_clock_was_set_back"),
            new Mutant(
                    "a settlement does not note its fence",
                    "changes",
                    "rise(KEYS[1], math.max(struct.unpack('>I7', there, 19) + 1, now))",
                    "math.max(struct.unpack('>I7', there, 19) + 1, now)",
                    "fences_of_settlements_hold_after_the_clock_was_set_back"),
            new Mutant(
                    "what is put back does not note its fence",
                    "changes",
                    "rise(KEYS[1], math.max(stored + 1, now))",
                    "math.max(stored + 1, now)",
                    "fences_of_ends_that_were_put_back_hold_after_the_clock_was_set_back"),
            new Mutant(
                    "an attempt forgets what it overwrites",
                    "take",
                    "    earlier = there\n",
                    "    earlier = ''\n",
                    OVERWRITTEN_IN_VAIN),
            new Mutant(
                    "who takes over forgets what is overwritten",
                    "take",
                    "earlier = there:sub(-gone)",
                    "earlier = ''",
                    OVERWRITTEN_IN_VAIN),
            new Mutant(
                    "a release frees what was to be overwritten",
                    "changes",
                    "if to == 4 and earlier ~= '' then",
                    "if false then",
                    OVERWRITTEN_IN_VAIN),
            new Mutant(
                    "what is put back has the fence of the attempt",
                    "changes",
                    "rise(KEYS[1], math.max(stored + 1, now))",
                    "stored",
                    OVERWRITTEN_IN_VAIN),
            forgetsTheLife(
                    "claims", "a_node_that_starts_on_the_empty_redis_does_not_hide_the_loss_from_one_that_ran_before"),
            forgetsTheLife("take", "a_takeover_is_refused_as_a_first_claim_is"),
            forgetsTheLife("look", "a_sweep_closes_redis_for_the_nodes_that_started_later"),
            new Mutant(
                    "a claim goes on under another life",
                    "claims",
                    "if another then",
                    "if false then",
                    "a_node_that_starts_on_the_empty_redis_does_not_hide_the_loss_from_one_that_ran_before",
                    LossOnBrokenRedis.class),
            new Mutant(
                    "a loss is kept to oneself",
                    "claims",
                    "redis.call('SET', key, string.format('closed %.0f', now + closed))",
                    "",
                    "a_node_that_starts_on_the_empty_redis_does_not_hide_the_loss_from_one_that_ran_before",
                    LossOnBrokenRedis.class),
            new Mutant(
                    "what was settled is a loss again",
                    "claims",
                    "life:sub(1, 8) ~= 'settled '",
                    "true",
                    "what_a_person_has_accepted_is_accepted_by_all_nodes_and_the_next_loss_is_noticed_again",
                    LossOnBrokenRedis.class),
            new Mutant(
                    "a loss begins a settled life at once",
                    "claims",
                    "string.format('closed %.0f', now + closed)",
                    "string.format('settled %.0f', now)",
                    "a_node_that_starts_on_the_empty_redis_does_not_hide_the_loss_from_one_that_ran_before",
                    LossOnBrokenRedis.class));

    /** Any life is as good as the one that the node remembers. */
    private static Mutant forgetsTheLife(String script, String noticed) {
        return new Mutant(
                script + " forgets the life",
                script,
                "if life == remembered then",
                "if life and not life:match('^closed') then",
                noticed,
                LossOnBrokenRedis.class);
    }

    private static volatile Mutant mutant = NONE;

    @TestFactory
    Stream<DynamicTest> each_mutant_is_caught_by_its_case() {
        return MUTANTS.stream()
                .map(one -> DynamicTest.dynamicTest(
                        one.bug(),
                        () -> assertThat(failures(one)).as("failed cases").containsOnly(one.noticed())));
    }

    private static Set<String> failures(Mutant defect) {
        mutant = defect;
        PostDiscoveryFilter named = descriptor -> FilterResult.includedIf(descriptor
                .getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> defect.noticed().equals(((MethodSource) source).getMethodName()))
                .orElse(false));
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(defect.cases()))
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

    private static LuaScript broken(String name) {
        LuaScript own = StoreScripts.own(name);
        if (!name.equals(mutant.script())) {
            return own;
        }
        String text = new String(own.text(), UTF_8);
        assertThat(text).contains(mutant.right());
        return new LuaScript(text.replace(mutant.right(), mutant.wrong()).getBytes(UTF_8));
    }

    static class LossOnBrokenRedis extends MaskedLossTest implements Broken {
        @Override
        RedisStore.Builder node() {
            return super.node().scripts(StoreScripts.of(RedisMutantsTest::broken));
        }
    }

    static class OnBrokenRedis extends StoreContract implements Broken {
        private static final RedisConnections REDIS =
                RedisConnections.at(RedisServer.shared().uri());
        private static final Map<Mutant, Store> STORES = new ConcurrentHashMap<>();

        @Override
        protected StoreFixture open() {
            StoreScripts scripts = StoreScripts.of(RedisMutantsTest::broken);
            Store broken = STORES.computeIfAbsent(mutant, one -> on(scripts));
            return new RedisFixture(REDIS, broken, broken, OnBrokenRedis::on, scripts);
        }

        private static Store on(StoreScripts scripts) {
            return RedisStore.builder(REDIS).prefix("broken").scripts(scripts).build();
        }
    }
}
