package io.onefold.server;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells the story. */
@Command(
        name = "demo",
        description =
                "A short story of duplicates and of a killed process, told on a SQLite file; ends with exit code 0"
                        + " only if every line of it held.")
final class DemoCommand implements Callable<Integer> {
    @Spec
    @Nullable
    CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This text.")
    boolean help;

    @Option(names = "--once", description = "Tells it once and ends, as it does anyway.")
    boolean once;

    @Override
    public Integer call() {
        return Demo.tell(((Main) Objects.requireNonNull(spec).root().userObject()).out()) ? Main.OK : Main.FAILED;
    }
}
