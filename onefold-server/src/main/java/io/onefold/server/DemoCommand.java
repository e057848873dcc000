package io.onefold.server;

import io.onefold.server.config.ConfigException;
import io.onefold.server.config.PortInUseException;
import java.io.PrintStream;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tells the story, and leaves shop and gateway running if the user wants to try them. */
@Command(
        name = "demo",
        description =
                "A shop that charges whenever it is asked to, a gateway before it, and what becomes of duplicates, of a changed"
                        + " payload and of a shop that is killed in mid-charge.")
final class DemoCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;

    @Spec
    @Nullable
    CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This text.")
    boolean help;

    @Option(names = "--once", description = "Ends after the story; exit code 0 only if every line of it held.")
    boolean once;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8687",
            description = "Of the gateway; 8687 if not said, 0 for a free one.")
    int port;

    @Override
    public Integer call() throws Exception {
        CommandSpec known = Objects.requireNonNull(spec);
        if (port < 0 || port > 65_535) {
            throw new ParameterException(known.commandLine(), "--port must be between 0 and 65535, not " + port);
        }
        PrintStream out = ((Main) known.root().userObject()).out();
        try {
            return run(out, port, once, DemoScene.ROUTES);
        } catch (PortInUseException e) {
            known.commandLine()
                    .getErr()
                    .println("onefold: port " + port + " of 127.0.0.1 is in use: stop who listens there, or choose"
                            + " another with --port N (0 takes a free one)");
            return Main.MISUSED;
        } catch (ConfigException e) {
            known.commandLine().getErr().println("onefold: " + e.getMessage());
            return Main.FAILED;
        }
    }

    static int run(PrintStream out, int port, boolean once, String routes) throws Exception {
        DemoScene demo = new DemoScene(out);
        StopSignal ending = new StopSignal(demo, out);
        Thread hook = new Thread(ending::stop, "onefold-demo-end");
        // registered before anything is started: the user may stop it early, and a terminal stops the shop as well
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            demo.start(port, routes);
            return tell(demo, ending, once);
        } finally {
            demo.close();
            removed(hook);
        }
    }

    private static int tell(DemoScene demo, StopSignal ending, boolean once) throws InterruptedException {
        int told = demo.tell() ? Main.OK : Main.FAILED;
        boolean stays = told == Main.OK && !once;
        if (stays) {
            // set before the user is told how to stop it
            ending.status = told;
        }
        if (told == Main.OK) {
            demo.invite(stays);
        }
        if (stays) {
            new CountDownLatch(1).await();
        }
        return told;
    }

    private static void removed(Thread hook) throws InterruptedException {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the hook runs already, and ends this process
            hook.join();
        }
    }

    /** The end by Ctrl-C or by a platform that stops the process. */
    private static final class StopSignal {
        private final DemoScene demo;
        private final PrintStream out;
        private volatile int status = INTERRUPTED;

        StopSignal(DemoScene demo, PrintStream out) {
            this.demo = demo;
            this.out = out;
        }

        void stop() {
            // a story that is interrupted goes on to its end, but prints nothing
            int now = status;
            demo.close();
            out.println("stopped");
            out.flush();
            Runtime.getRuntime().halt(now);
        }
    }
}
