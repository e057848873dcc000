package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of the runnable jar. */
@Command(
        name = "onefold",
        header = "Onefold makes operations safe to retry: one effect, one answer.",
        synopsisSubcommandLabel = "<command>",
        subcommands = {ProxyCommand.class, DemoCommand.class, ShopCommand.class, CommandLine.HelpCommand.class})
public final class Main implements Runnable {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int MISUSED = 2;

    private final PrintStream out;
    private final CommandLine commands;

    private Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.commands = new CommandLine(this)
                .setOut(new PrintWriter(new OutputStreamWriter(out, UTF_8), true))
                .setErr(new PrintWriter(new OutputStreamWriter(err, UTF_8), true))
                .setParameterExceptionHandler(Main::misused);
    }

    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        return new Main(out, err).commands.execute(arguments.toArray(String[]::new));
    }

    /** Prints the usage, since no command was given. */
    @Override
    public void run() {
        commands.usage(commands.getOut());
    }

    PrintStream out() {
        return out;
    }

    private static int misused(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        command.getErr().println("onefold: " + why(e, command));
        return MISUSED;
    }

    private static String why(ParameterException e, CommandLine command) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return String.valueOf(e.getMessage());
        }
        String what = "\"" + unmatched.getUnmatched().get(0) + "\"";
        if (!command.getSubcommands().isEmpty()) {
            List<String> names = command.getSubcommands().entrySet().stream()
                    .filter(one ->
                            !one.getValue().getCommandSpec().usageMessage().hidden())
                    .map(Map.Entry::getKey)
                    .toList();
            return "there is no command " + what + "; there are " + listed(names);
        }
        List<String> names = command.getCommandSpec().options().stream()
                .map(OptionSpec::longestName)
                .toList();
        return command.getCommandName() + " knows no option " + what + "; it takes " + listed(names);
    }

    private static String listed(List<String> names) {
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }
}
