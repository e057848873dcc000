package io.onefold.http.doors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Breaks doors on purpose, one bug of others at a time, and names the case that must notice. */
class MutantsTest {
    private static volatile BrokenDoor broken = BrokenDoor.A_REPLAY_IS_ALWAYS_200;

    @ParameterizedTest
    @CsvSource({
        "B12, HANGING_UP_ENDS_THE_REQUEST, h37_b12_a_client_that_hangs_up_in_a_long_answer_does_not_stop_it",
        "B12, HANGING_UP_LOSES_THE_RECORD, h37_b12_a_client_that_hangs_up_does_not_stop_what_it_began",
        "B13, A_REPLAY_LACKS_ITS_LOCATION, h25_b13_headers_that_belong_to_the_result_are_replayed",
        "B13, A_REPLAY_IS_ALWAYS_200, h19_b13_an_answer_is_replayed_with_its_status",
        "B14, KEYS_OF_ALL_ARE_ONE, h08_b14_a_key_of_one_caller_means_nothing_to_another",
        "B14, PATHS_ARE_NOT_COMPARED, h09_b14_another_path_under_one_route_is_another_request",
        "B14, TENANTS_ARE_ONE, h08_b14_a_key_of_one_tenant_means_nothing_to_another",
        "B15, A_LOST_RACE_HAS_NO_END, h22_b15_duplicates_wait_for_the_first",
        "B15, A_LOST_RACE_IS_AN_ERROR, h22_b15_duplicates_wait_for_the_first",
        "B16, BUSY_BEFORE_REUSED, h16_b16_what_the_key_was_used_for_comes_before_being_in_progress"
    })
    void each_mutant_is_caught_by_its_case(String bug, BrokenDoor door, String noticed) {
        broken = door;
        // who asks a door that never answers need not wait long to notice
        System.setProperty("onefold.contract.patience", "3000");
        try {
            assertThat(failed(Set.of(noticed))).as(bug).contains(noticed);
        } finally {
            System.clearProperty("onefold.contract.patience");
        }
    }

    private static Set<String> failed(Set<String> wanted) {
        PostDiscoveryFilter named = descriptor -> FilterResult.includedIf(descriptor
                .getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> wanted.contains(((MethodSource) source).getMethodName()))
                .orElse(false));
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Broken.class))
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

    /** Run by the cases above alone. */
    static class Broken extends AdapterContract {
        @Override
        protected AdapterFixture fixture() {
            return new AdapterFixture() {
                @Override
                public String name() {
                    return broken.name();
                }

                @Override
                public RunningAdapter open(AdapterSetup setting, TestService business) throws Exception {
                    return JettyTest.start(context -> broken.deploy(context, setting, business));
                }

                @Override
                public boolean reported() {
                    return false;
                }
            };
        }
    }
}
