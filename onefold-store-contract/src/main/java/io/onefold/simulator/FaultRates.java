package io.onefold.simulator;

import java.util.SplittableRandom;

/** The rates of faults in one schedule, in chances of a thousand for each step. After healing, nothing fails. */
final class FaultRates {
    private static final int KINDS = 8;

    final int crash;
    final int lostRequest;
    final int lostAnswer;
    final int slowness;
    final int pause;
    final int lostSignal;
    final int rejection;
    final int outage;
    private final SplittableRandom random;
    private boolean healed;

    FaultRates(SplittableRandom random) {
        this.random = random;
        // a third of all schedules each: calm, one kind of fault, everything at once
        int mood = random.nextInt(3);
        this.crash = level(mood, 0, 60);
        this.lostRequest = level(mood, 1, 150);
        this.lostAnswer = level(mood, 2, 150);
        this.slowness = level(mood, 3, 150);
        this.pause = level(mood, 4, 60);
        this.lostSignal = level(mood, 5, 500);
        this.rejection = level(mood, 6, 30);
        this.outage = level(mood, 7, 30);
    }

    private int level(int mood, int kind, int most) {
        boolean on = mood == 2 || (mood == 1 && random.nextInt(KINDS) == kind);
        return on ? random.nextInt(most + 1) : 0;
    }

    boolean happens(int perThousand) {
        return !healed && perThousand > 0 && random.nextInt(1_000) < perThousand;
    }

    boolean healed() {
        return healed;
    }

    void heal() {
        healed = true;
    }
}
