package io.onefold.benchmarks.spring;

import java.util.List;
import java.util.Locale;

/** Measures both ways in turn, in one run, so that whatever else the machine does is the same for both. */
public final class SpringBench {
    private static final String USAGE = "usage: onefold bench --spring [--quick]";
    private static final double GOAL = 2.0;

    private SpringBench() {}

    public static void main(String[] arguments) throws Exception {
        List<String> given = List.of(arguments);
        boolean quick = given.contains("--quick");
        if (given.size() > (quick ? 1 : 0)) {
            System.err.println(USAGE);
            System.exit(2);
        }
        int rounds = quick ? 9 : 25;
        say("@Idempotent over the plain API, one caller, records in memory", Calls.measure(Calls.bare(), rounds));
        say("The same with Jackson, as the starter has it", Calls.measure(Calls.withJackson(), rounds));
        System.out.println();
        System.out.println("Start of an application with Tomcat and one handler, in JVMs of their own");
        Starts.Result starts = Starts.measure(quick ? 3 : 9);
        System.out.printf(
                Locale.ROOT,
                "  with onefold.enabled=false %,5d ms   with the starter %,5d ms   costs %,4d ms%n",
                starts.without(),
                starts.with(),
                starts.with() - starts.without());
    }

    private static void say(String title, Calls.Result calls) {
        System.out.println(title);
        say("replay", calls.plainReplay(), calls.annotatedReplay());
        say("first execution", calls.plainFirst(), calls.annotatedFirst());
    }

    private static void say(String what, double plain, double annotated) {
        double over = annotated - plain;
        System.out.printf(
                Locale.ROOT,
                "  %-16s plain %6.2f us   annotated %6.2f us   over %+5.2f us (goal: at most %.1f, %s)%n",
                what,
                plain,
                annotated,
                over,
                GOAL,
                over <= GOAL ? "held" : "NOT HELD");
    }
}
