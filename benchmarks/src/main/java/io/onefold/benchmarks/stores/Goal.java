package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Results.Ratio;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is to be reached, and what was.
 *
 * @param reached null where it was not measured
 */
public record Goal(String what, @Nullable String reached, boolean held) {

    static Goal overBest(Results results, Group group, double goal) {
        Traits best = results.subjects(group).stream()
                .filter(one -> one.kind() == Kind.STORES_RESULT)
                .max(Comparator.comparingDouble(one -> Results.median(results.rates(group, one.name()))))
                .orElse(null);
        String named = "best that stores results";
        return best == null
                ? new Goal(group + ": " + OnefoldSubject.NAME + " / " + named, null, false)
                : atLeast(results, group, OnefoldSubject.NAME, best.name(), named + " (" + best.name() + ")", goal);
    }

    public static Goal atLeast(Results results, Group group, String subject, String other, double goal) {
        return atLeast(results, group, subject, other, other, goal);
    }

    private static Goal atLeast(
            Results results, Group group, String subject, String other, String called, double goal) {
        String what = group + ": " + subject + " / " + called;
        Ratio ratio = results.ratio(group, subject, other);
        return ratio == null
                ? new Goal(what, null, false)
                : new Goal(what, show(ratio) + ", goal at least " + times(goal), ratio.median() >= goal);
    }

    static Goal atMost(Results results, Group group, String subject, String other, double goal) {
        String what = group + ": " + subject + " / " + other;
        Ratio ratio = results.ratio(group, subject, other);
        return ratio == null
                ? new Goal(what, null, false)
                : new Goal(what, show(ratio) + ", goal at most " + times(goal), ratio.median() <= goal);
    }

    public static Goal atMost(String what, @Nullable Double figure, int goal) {
        return figure == null
                ? new Goal(what, null, false)
                : new Goal(what, "%.0f (goal at most %d)".formatted(figure, goal), figure <= goal);
    }

    private static String show(Ratio ratio) {
        return times(ratio.median()) + " (rounds " + times(ratio.lowest()) + " to " + times(ratio.highest()) + ")";
    }

    public static String times(double factor) {
        return String.format(Locale.ROOT, factor < 10 ? "%.2fx" : "%.1fx", factor);
    }

    @Override
    public String toString() {
        return reached == null ? what + ": not measured" : what + " = " + reached + ": " + (held ? "held" : "NOT held");
    }
}
