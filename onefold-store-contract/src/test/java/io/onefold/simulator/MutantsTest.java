package io.onefold.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MutantsTest {
    private static final int SCHEDULES = 20_000;

    @ParameterizedTest
    @EnumSource
    void a_mutant_is_caught_by_the_invariant_it_breaks(Mutants mutant) {
        Set<Invariant> broken = EnumSet.noneOf(Invariant.class);
        for (long seed = 1; seed <= SCHEDULES && !broken.contains(mutant.breaks()); seed++) {
            Simulator.replay(seed, mutant.setup()).ifPresent(failure -> {
                for (Throwable cause : failure.causes()) {
                    if (cause instanceof InvariantViolation violation) {
                        broken.add(violation.invariant());
                    }
                }
            });
        }
        assertThat(broken).as("what %s breaks", mutant).contains(mutant.breaks());
    }

    @Test
    void every_invariant_is_broken_by_some_mutant() {
        Set<Invariant> broken = EnumSet.noneOf(Invariant.class);
        for (Mutants mutant : Mutants.values()) {
            broken.add(mutant.breaks());
        }
        assertThat(broken).containsExactlyInAnyOrder(Invariant.values());
    }
}
