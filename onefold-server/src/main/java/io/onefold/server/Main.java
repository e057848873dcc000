package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The command line of the runnable jar. */
@Command(
        name = "onefold",
        header = "Onefold makes operations safe to retry: one effect, one answer.",
        synopsisSubcommandLabel = "<command>",
        subcommands = {
            ProxyCommand.class,
            DemoCommand.class,
            ShopCommand.class,
            CommandLine.HelpCommand.class
        })
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

    /** Without a command. */
    @Override
    public void run() {
        commands.usage(commands.getOut());
    }

    PrintStream out() {
        return out;
    }

    private static int misused(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        command.getErr().println("onefold: " + e.getMessage() + "; there are " + allowed(command));
        return MISUSED;
    }

    private static String allowed(CommandLine command) {
        List<String> names = command.getSubcommands().isEmpty()
                ? command.getCommandSpec().options().stream()
                        .map(CommandLine.Model.OptionSpec::longestName)
                        .toList()
                : command.getSubcommands().entrySet().stream()
                        .filter(one -> !one.getValue().getCommandSpec().usageMessage().hidden())
                        .map(java.util.Map.Entry::getKey)
                        .toList();
        return String.join(", ", names);
    }
}
