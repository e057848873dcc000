package io.onefold.benchmarks.stores;

import org.jspecify.annotations.Nullable;

/** Where is measured: a server of its own, or a file. */
abstract class Venue implements AutoCloseable {
    private @Nullable Subjects subjects;

    /** As the command line calls it. */
    abstract String id();

    /** Product, clients and what an answer is worth, as the server tells. */
    abstract String describe() throws Exception;

    /** Whether each group of slices finds nothing stored: what is kept in memory alone would not fit in the end. */
    abstract boolean beginsAnew();

    abstract Subjects open(Plan plan);

    /** Who is measured in the next group: the same as before, unless it begins anew. */
    final Subjects subjects(Plan plan) {
        if (beginsAnew()) {
            dismiss();
        }
        if (subjects == null) {
            subjects = open(plan);
        }
        return subjects;
    }

    /** Nothing of theirs runs on beside what is measured next. */
    final void dismiss() {
        if (subjects != null) {
            subjects.close();
            subjects = null;
        }
    }

    @Override
    public void close() {
        dismiss();
    }
}
