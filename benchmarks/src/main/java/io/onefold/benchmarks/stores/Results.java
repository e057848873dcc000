package io.onefold.benchmarks.stores;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All slices of a run but the warm-up, and what single figures were found. */
public final class Results {
    private final Map<Group, Map<String, List<Slice>>> slices = new LinkedHashMap<>();
    private final Map<String, Traits> traits = new LinkedHashMap<>();
    private final Map<String, Double> figures = new LinkedHashMap<>();

    /** Who is going to be measured, in the order in which the tables show them. */
    void expect(Traits subject) {
        traits.putIfAbsent(subject.name(), subject);
    }

    public void add(Slice slice) {
        slices.computeIfAbsent(slice.group(), group -> new LinkedHashMap<>())
                .computeIfAbsent(slice.subject(), name -> new ArrayList<>())
                .add(slice);
    }

    public void figure(String name, double value) {
        figures.put(name, value);
    }

    public @Nullable Double figure(String name) {
        return figures.get(name);
    }

    List<Group> groups() {
        return List.copyOf(slices.keySet());
    }

    /** In the order in which they were expected. */
    List<Traits> subjects(Group group) {
        Map<String, List<Slice>> present = slices.getOrDefault(group, Map.of());
        return traits.values().stream()
                .filter(one -> present.containsKey(one.name()))
                .toList();
    }

    List<Slice> slices(Group group) {
        return slices.getOrDefault(group, Map.of()).values().stream()
                .flatMap(List::stream)
                .toList();
    }

    public List<Slice> slices() {
        return groups().stream().flatMap(group -> slices(group).stream()).toList();
    }

    /** Operations per second, round by round; empty where it was not measured. */
    public double[] rates(Group group, String subject) {
        return slices(group, subject).stream().mapToDouble(Slice::rate).toArray();
    }

    public double cpuMicros(Group group, String subject) {
        return median(
                slices(group, subject).stream().mapToDouble(Slice::cpuMicros).toArray());
    }

    private List<Slice> slices(Group group, String subject) {
        return slices.getOrDefault(group, Map.of()).getOrDefault(subject, List.of());
    }

    /** What one achieved for each of the other's, round by round: what slowed a round down slowed both. */
    public @Nullable Ratio ratio(Group group, String over, String under) {
        double[] upper = rates(group, over);
        double[] lower = rates(group, under);
        if (upper.length == 0 || upper.length != lower.length) {
            return null;
        }
        double[] ratios = new double[upper.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = upper[i] / lower[i];
        }
        Arrays.sort(ratios);
        return new Ratio(median(ratios), ratios[0], ratios[ratios.length - 1]);
    }

    public record Ratio(double median, double lowest, double highest) {}

    public static double median(double... values) {
        return quantile(values, 0.5);
    }

    /** Half of the range in which the middle half of the values lies, as a share of their median. */
    public static double spread(double... values) {
        return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values);
    }

    public static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
    }
}
