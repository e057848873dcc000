package io.onefold.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class UpkeepSettingsTest {
    private static final MaintenanceSettings STANDARD = MaintenanceSettings.standard();

    @Test
    void times_that_cannot_be_are_refused_by_name() {
        Map<String, BiFunction<MaintenanceSettings, Duration, MaintenanceSettings>> times = Map.of(
                "reconcileEvery", MaintenanceSettings::reconcileEvery,
                "sweepEvery", MaintenanceSettings::sweepEvery,
                "lease", MaintenanceSettings::lease,
                "probeTimeout", MaintenanceSettings::probeTimeout,
                "probePause", MaintenanceSettings::probePause,
                "stuckAfter", MaintenanceSettings::stuckAfter);
        times.forEach((name, set) -> {
            for (Duration wrong :
                    List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofNanos(999_999), Duration.ofDays(366))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> set.apply(STANDARD, wrong))
                        .withMessageContaining(name)
                        .withMessageContaining(wrong.toString());
            }
            assertThat(set.apply(STANDARD, Duration.ofMillis(1))).isNotSameAs(STANDARD);
        });
    }

    @Test
    void numbers_that_cannot_be_are_refused_by_name() {
        Map<String, BiFunction<MaintenanceSettings, Integer, MaintenanceSettings>> numbers = Map.of(
                "reconcileBatch", MaintenanceSettings::reconcileBatch,
                "sweepBatch", MaintenanceSettings::sweepBatch,
                "probeThreads", MaintenanceSettings::probeThreads,
                "probesPerRound", MaintenanceSettings::probesPerRound);
        numbers.forEach((name, set) -> {
            for (int wrong : List.of(0, -1, 100_001)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> set.apply(STANDARD, wrong))
                        .withMessageContaining(name)
                        .withMessageContaining(String.valueOf(wrong));
            }
            assertThat(set.apply(STANDARD, 1)).isNotSameAs(STANDARD);
        });
    }

    @Test
    void probes_are_repeated_as_often_as_rounds_unless_told_otherwise() {
        MaintenanceSettings often = STANDARD.reconcileEvery(Duration.ofSeconds(2));
        assertThat(often.probePause()).isEqualTo(Duration.ofSeconds(2));
        assertThat(often.probePause(Duration.ofSeconds(7)).probePause()).isEqualTo(Duration.ofSeconds(7));
        assertThat(STANDARD.reconcileEvery()).isEqualTo(Duration.ofSeconds(5));
    }
}
