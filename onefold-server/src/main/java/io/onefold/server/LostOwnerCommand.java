package io.onefold.server;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The process of the demo that is to be killed. */
@Command(name = LostOwner.COMMAND, hidden = true)
final class LostOwnerCommand implements Callable<Integer> {
    @Spec
    @Nullable
    CommandSpec spec;

    @Parameters(arity = "0..1")
    @Nullable
    Path directory;

    @Override
    public Integer call() {
        CommandSpec known = Objects.requireNonNull(spec);
        if (directory == null) {
            known.commandLine()
                    .getErr()
                    .println("onefold: " + LostOwner.COMMAND + " is for the demo to call, with its directory");
            return Main.MISUSED;
        }
        LostOwner.live(directory, System.in, ((Main) known.root().userObject()).out());
        return Main.FAILED;
    }
}
