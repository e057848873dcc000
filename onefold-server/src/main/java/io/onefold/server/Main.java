package io.onefold.server;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The command line of the runnable jar. */
public final class Main {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int MISUSED = 2;

    private static final String USAGE = """
            Onefold makes operations safe to retry: one effect, one answer.

            Usage: onefold <command> [options]

              demo [--once]   a short story of duplicates and of a killed process, told on a SQLite
                              file; ends with exit code 0 only if every line of it held
              help            this text
            """;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        String command = arguments.isEmpty() ? "help" : arguments.get(0);
        List<String> options = arguments.isEmpty() ? List.of() : arguments.subList(1, arguments.size());
        switch (command) {
            case "demo" -> {
                for (String option : options) {
                    if (!option.equals("--once")) {
                        return misused(err, "demo knows no option \"" + option + "\"; it takes --once");
                    }
                }
                return Demo.tell(out) ? OK : FAILED;
            }
            case LostOwner.COMMAND -> {
                if (options.size() != 1) {
                    return misused(err, command + " is for the demo to call, with its directory");
                }
                LostOwner.live(Path.of(options.get(0)), System.in, out);
                return FAILED;
            }
            case "help", "--help", "-h" -> {
                out.print(USAGE);
                return OK;
            }
            default -> {
                return misused(err, "there is no command \"" + command + "\"; there are demo and help");
            }
        }
    }

    private static int misused(PrintStream err, String why) {
        err.println("onefold: " + why);
        return MISUSED;
    }
}
