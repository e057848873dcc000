package io.onefold.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The shop of the demo, in a process of its own. It ends when it is killed, or when the process that started it is gone. */
@Command(name = ShopCommand.NAME, hidden = true)
final class ShopCommand implements Callable<Integer> {
    static final String NAME = "demo-shop";

    @Spec
    @Nullable
    CommandSpec spec;

    @Parameters(index = "0", arity = "0..1")
    @Nullable
    Path directory;

    @Parameters(index = "1", arity = "0..1", defaultValue = "0")
    int port;

    @Override
    public Integer call() throws IOException {
        CommandSpec known = Objects.requireNonNull(spec);
        if (directory == null) {
            known.commandLine().getErr().println("onefold: " + NAME + " is for the demo to call, with its directory");
            return Main.MISUSED;
        }
        DemoShop.open(directory, port, ((Main) known.root().userObject()).out());
        while (System.in.read() >= 0) {
            // nothing is ever sent here
        }
        Runtime.getRuntime().halt(Main.OK);
        return Main.OK;
    }
}
