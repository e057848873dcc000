package io.onefold.benchmarks.http;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the command line asks for. */
record HttpOptions(boolean quick, Set<String> works) {
    static final String THROUGHPUT = "throughput";
    static final String WAITING = "waiting";
    static final String UPLOADS = "uploads";
    static final String USAGE = "usage: onefold bench --http [--quick] [--only throughput,waiting,uploads]";

    private static final List<String> WORKS = List.of(THROUGHPUT, WAITING, UPLOADS);

    static HttpOptions parse(List<String> arguments) {
        boolean quick = false;
        Set<String> works = new LinkedHashSet<>(WORKS);
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--quick" -> quick = true;
                case "--only" -> works.retainAll(chosen(rest));
                default -> throw new IllegalArgumentException("bench --http knows no option \"" + option + "\"");
            }
        }
        return new HttpOptions(quick, works);
    }

    private static List<String> chosen(Iterator<String> rest) {
        List<String> chosen = rest.hasNext() ? List.of(rest.next().split(",", -1)) : List.of("");
        for (String one : chosen) {
            if (!WORKS.contains(one)) {
                throw new IllegalArgumentException("--only needs some of " + String.join(",", WORKS)
                        + (one.isEmpty() ? "" : ", it knows no \"" + one + "\""));
            }
        }
        return chosen;
    }
}
