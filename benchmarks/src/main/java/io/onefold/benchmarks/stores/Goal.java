package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Results.Ratio;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is to be reached, and what was.
 *
 * @param reached null where it was not measured
 */
record Goal(String what, @Nullable String reached, boolean held) {
    private static final double NO_LOSS = 0.95;

    static List<Goal> of(Results results) {
        List<Goal> goals = new ArrayList<>();
        Group at64 = Group.of(Postgres.ID, Workload.FIRST, 64);
        goals.add(overBest(results, at64, 2.5));
        goals.add(over(results, at64, OnefoldSubject.NAME, "one plain insert per commit", 1.2));
        goals.add(over(
                results,
                Group.of(Postgres.ID, Workload.FIRST, 256),
                OnefoldSubject.NAME,
                "one plain insert per commit",
                2));
        goals.add(over(
                results,
                Group.of(Postgres.ID, Workload.REPLAY, 64),
                OnefoldSubject.NAME,
                "one plain select by key",
                2));
        for (int callers : new int[] {1, 64}) {
            Group joined = Group.of(Postgres.ID, Workload.JOINED, callers);
            goals.add(over(results, joined, OnefoldSubject.JOINED, "naive three commits", 1.5));
        }
        goals.add(overBest(results, Group.of(MariaDb.ID, Workload.FIRST, 64), 1.8));
        for (int callers : new int[] {1, 8}) {
            goals.add(overBest(results, Group.of(Postgres.ID, Workload.FIRST, callers), NO_LOSS));
        }
        for (Group group : results.groups()) {
            if (isFewCallersElsewhere(group)) {
                goals.add(overBest(results, group, NO_LOSS));
            }
        }
        goals.add(bytes(results));
        Growth.WORKLOADS.forEach(workload -> goals.add(growth(results, workload)));
        return goals;
    }

    /** Where the full run measures them; SQLite has no goals. */
    private static boolean isFewCallersElsewhere(Group group) {
        boolean first = group.work().equals(Workload.FIRST.id());
        return group.callers() <= 8
                && (group.database().equals(MariaDb.ID) || !first)
                && !group.database().equals(Sqlite.ID)
                && (first || group.work().equals(Workload.REPLAY.id()));
    }

    private static Goal overBest(Results results, Group group, double goal) {
        Traits best = results.subjects(group).stream()
                .filter(one -> one.kind() == Kind.STORES_RESULT)
                .max(Comparator.comparingDouble(one -> Results.median(results.rates(group, one.name()))))
                .orElse(null);
        String named = "best that stores results";
        return best == null
                ? new Goal(group + ": " + OnefoldSubject.NAME + " / " + named, null, false)
                : over(results, group, OnefoldSubject.NAME, best.name(), named + " (" + best.name() + ")", goal);
    }

    private static Goal over(Results results, Group group, String subject, String other, double goal) {
        return over(results, group, subject, other, other, goal);
    }

    private static Goal over(Results results, Group group, String subject, String other, String called, double goal) {
        String what = group + ": " + subject + " / " + called;
        Ratio ratio = results.ratio(group, subject, other);
        return ratio == null
                ? new Goal(what, null, false)
                : new Goal(what, show(ratio) + ", goal at least " + times(goal), ratio.median() >= goal);
    }

    private static Goal bytes(Results results) {
        String what = Postgres.ID + ": bytes per record";
        Double bytes = results.figure(Bytes.AS_IT_IS);
        return bytes == null
                ? new Goal(what, null, false)
                : new Goal(what, "%.0f (goal at most %d)".formatted(bytes, Bytes.GOAL), bytes <= Bytes.GOAL);
    }

    private static Goal growth(Results results, Workload workload) {
        Group group = Growth.group(workload);
        String what = group + ": few rows / many rows";
        Ratio ratio = results.ratio(group, Growth.FEW, Growth.MANY);
        return ratio == null
                ? new Goal(what, null, false)
                : new Goal(what, show(ratio) + ", goal at most " + times(Growth.GOAL), ratio.median() <= Growth.GOAL);
    }

    private static String show(Ratio ratio) {
        return times(ratio.median()) + " (rounds " + times(ratio.lowest()) + " to " + times(ratio.highest()) + ")";
    }

    static String times(double factor) {
        return String.format(Locale.ROOT, factor < 10 ? "%.2fx" : "%.1fx", factor);
    }

    @Override
    public String toString() {
        return reached == null ? what + ": not measured" : what + " = " + reached + ": " + (held ? "held" : "NOT held");
    }
}
