package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.Set;

/** The limits of all that ask Redis one by one: for what is new, two commands, and for what is known, one. */
final class PlainCommands implements Subject {
    static final String TWO = "two commands GET; SET, ";
    static final String ONE = "one GET, ";

    private final Traits traits;
    private final Commands commands;

    private PlainCommands(String name, Workload workload, Commands commands) {
        this.traits = new Traits(name + commands.client(), Kind.LIMIT, Set.of(workload), Feature.RESULT);
        this.commands = commands;
    }

    static PlainCommands two(Commands commands) {
        return new PlainCommands(TWO, Workload.FIRST, commands);
    }

    static PlainCommands one(Commands commands) {
        return new PlainCommands(ONE, Workload.REPLAY, commands);
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public String call(String key, Business business) {
        String found = commands.get(key);
        if (found == null) {
            found = business.run(key);
            commands.set(key, found);
        }
        return found;
    }
}
