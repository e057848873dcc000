package io.onefold.benchmarks.stores;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What the command line asks for. */
record Options(boolean quick, Set<String> works, Set<String> databases) {
    static final String BYTES = "bytes";
    static final String GROWTH = "growth";
    static final String USAGE = "usage: onefold bench [--quick] [--only first,replay,mix,hot,joined,bytes,growth]"
            + " [--db postgresql,mariadb,sqlite,redis]\n"
            + "   or: onefold bench --http [--quick] [--only throughput,waiting,uploads]";

    private static final List<String> WORKS = Stream.concat(
                    Stream.of(Workload.values()).map(Workload::id), Stream.of(BYTES, GROWTH))
            .toList();
    private static final List<String> DATABASES = List.of(Postgres.ID, MariaDb.ID, Sqlite.ID, RedisVenue.ID);

    static Options parse(List<String> arguments) {
        boolean quick = false;
        Set<String> works = new LinkedHashSet<>(WORKS);
        Set<String> databases = new LinkedHashSet<>(DATABASES);
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--quick" -> quick = true;
                case "--only" -> works.retainAll(chosen(option, rest, WORKS));
                case "--db" -> databases.retainAll(chosen(option, rest, DATABASES));
                default -> throw new IllegalArgumentException("bench knows no option \"" + option + "\"");
            }
        }
        return new Options(quick, works, databases);
    }

    private static List<String> chosen(String option, Iterator<String> rest, List<String> known) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs some of " + String.join(",", known));
        }
        List<String> chosen = List.of(rest.next().split(",", -1));
        for (String one : chosen) {
            if (!known.contains(one)) {
                throw new IllegalArgumentException(
                        option + " knows no \"" + one + "\", only " + String.join(",", known));
            }
        }
        return chosen;
    }
}
