package io.onefold.benchmarks.stores;

import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Who is measured at a venue. */
final class Subjects implements AutoCloseable {
    private final List<Subject> all;
    private final @Nullable LongSupplier joined;
    private final Runnable afterwards;

    /**
     * @param joined counts what the business that joins has done to the database; null where none can join
     * @param afterwards closes what they share
     */
    Subjects(List<Subject> all, @Nullable LongSupplier joined, Runnable afterwards) {
        this.all = List.copyOf(all);
        this.joined = joined;
        this.afterwards = afterwards;
    }

    /** A batch needs as many callers as it has rows, so it is no limit for fewer. */
    List<Subject> of(Workload workload, int callers) {
        return all.stream()
                .filter(one -> one.traits().workloads().contains(workload))
                .filter(one -> callers >= 64 || !(one instanceof Subject.Batching))
                .toList();
    }

    /** Counts what the business does to the database; null if it does nothing to it. */
    @Nullable
    LongSupplier effects(Workload workload) {
        return workload == Workload.JOINED ? joined : null;
    }

    @Override
    public void close() {
        all.forEach(Subject::close);
        afterwards.run();
    }
}
