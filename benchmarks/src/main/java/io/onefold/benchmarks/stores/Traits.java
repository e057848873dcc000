package io.onefold.benchmarks.stores;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a subject is, so that unequal ones are not compared as equals.
 *
 * @param workloads those it can take part in
 */
record Traits(String name, Kind kind, Set<Workload> workloads, Set<Feature> features) {

    enum Kind {
        ONEFOLD("Onefold"),
        STORES_RESULT("store a result"),
        WEAKER("store no result: lower bounds"),
        LIMIT("raw limits");

        final String heading;

        Kind(String heading) {
            this.heading = heading;
        }
    }

    enum Feature {
        RESULT,
        LEASE,
        OWNER,
        HASH,
        EXPIRY
    }

    Traits(String name, Kind kind, Set<Workload> workloads, Feature... features) {
        this(name, kind, workloads, setOf(features));
    }

    boolean has(Feature feature) {
        return features.contains(feature);
    }

    private static Set<Feature> setOf(Feature... features) {
        Set<Feature> set = EnumSet.noneOf(Feature.class);
        set.addAll(Arrays.asList(features));
        return set;
    }
}
