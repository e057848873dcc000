package io.onefold.benchmarks.stores;

import java.util.Locale;

/** What callers ask for. */
enum Workload {
    FIRST("first execution: each key is new"),
    REPLAY("replay: each key was done before"),
    MIX("mix: of ten keys one was done before"),
    HOT("hot key: all callers ask for one key, the next one after 1,000 answers"),
    JOINED("joined: first execution with a business insert in the same database");

    final String meaning;

    Workload(String meaning) {
        this.meaning = meaning;
    }

    /** As the command line and the file of slices call it. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
