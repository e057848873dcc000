package io.onefold.benchmarks.stores;

/**
 * What is measured in turn, and therefore comparable.
 *
 * @param work the workload's id, or another name where it is measured for another reason
 */
public record Group(String database, String work, int callers) {
    static Group of(String database, Workload workload, int callers) {
        return new Group(database, workload.id(), callers);
    }

    @Override
    public String toString() {
        return database + " " + work + ", " + callers + (callers == 1 ? " caller" : " callers");
    }
}
