package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.Operation;
import io.onefold.server.Shop.Order;
import io.onefold.server.Shop.Receipt;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A second process that is killed in mid-charge: the provider has charged, and nobody is left to record it. */
final class LostOwner {
    /** The hidden command that the second process is started with. */
    static final String COMMAND = "demo-child";

    static final Order ORDER = new Order("order-4", "eve", 7_700);

    /** Short, so that nobody has to wait long for its end. */
    private static final Operation<Receipt> CHARGE = Checkout.CHARGE.lease(Duration.ofSeconds(2));

    private static final String CHARGED = "charged";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private LostOwner() {}

    /** The life of the second process. It ends when it is killed, or when whoever was to kill it is gone. */
    static void live(Path directory, InputStream parent, PrintStream out) {
        Checkout checkout = Checkout.in(directory);
        checkout.onefold().attempt(CHARGE, Checkout.key(ORDER), attempt -> {
            Receipt receipt = checkout.shop().charge(ORDER, attempt.childKey("provider"));
            out.println(CHARGED);
            out.flush();
            awaitEnd(parent);
            // not even now may the work return
            Runtime.getRuntime().halt(Main.FAILED);
            return receipt;
        });
    }

    private static void awaitEnd(InputStream parent) {
        try {
            while (parent.read() >= 0) {
                // nothing is ever said
            }
        } catch (IOException e) {
            // gone as well
        }
    }

    /**
     * Starts the process and kills it (SIGKILL, where there are signals) as soon as the provider has charged.
     *
     * @return whether it got that far and is gone
     */
    static boolean kill(Path directory) {
        Process process = start(directory);
        boolean charged;
        try {
            charged = CompletableFuture.supplyAsync(() -> tells(process), task -> new Thread(task).start())
                    .completeOnTimeout(false, PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } finally {
            process.destroyForcibly().onExit().join();
        }
        return charged;
    }

    static Process start(Path directory) {
        String classPath = System.getProperty("java.class.path");
        boolean fromJar = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                // a killed process leaves its unpacked library behind: in a directory that is deleted
                "-Dorg.sqlite.tmpdir=" + directory);
        builder.command()
                .addAll(fromJar ? List.of("-jar", classPath) : List.of("-cp", classPath, Main.class.getName()));
        builder.command().addAll(List.of(COMMAND, directory.toString()));
        try {
            return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it says that the provider has charged; waits for it to say anything. */
    static boolean tells(Process process) {
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            return CHARGED.equals(out.readLine());
        } catch (IOException e) {
            return false;
        }
    }
}
