package io.onefold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Signals to a server and all its children. */
final class Processes {
    private static final int LOG_CHARS = 3000;

    private Processes() {}

    static void signal(String signal, List<ProcessHandle> processes) {
        // The shell's own kill: a separate one is missing from small images. Who has ended meanwhile needs no signal.
        String pids = processes.stream().map(p -> Long.toString(p.pid())).collect(Collectors.joining(" "));
        await(start(List.of("sh", "-c", "kill -" + signal + " " + pids + " 2>/dev/null"), null));
    }

    /** Stops the parent first, so that it neither notices the others nor starts new ones. */
    static List<ProcessHandle> stop(ProcessHandle parent) {
        signal("STOP", List.of(parent));
        List<ProcessHandle> children = parent.descendants().toList();
        if (!children.isEmpty()) {
            signal("STOP", children);
        }
        List<ProcessHandle> all =
                Stream.concat(Stream.of(parent), children.stream()).toList();
        // a signal is only sent: on a busy machine threads go on for a while
        Waiting.until(
                "all threads of the processes stand still", () -> all.stream().allMatch(Processes::standsStill));
        return all;
    }

    private static boolean standsStill(ProcessHandle process) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return threads.allMatch(thread -> "TtZX".indexOf(state(thread)) >= 0);
        } catch (IOException e) {
            return true;
        }
    }

    /** Of a process or thread that has ended, as of one that is dead. */
    private static char state(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return 'X';
        }
    }

    static void kill(Process server) {
        if (!server.isAlive()) {
            return;
        }
        List<ProcessHandle> all = stop(server.toHandle());
        signal("KILL", all);
        await(server);
        Waiting.until("the killed processes are gone", () -> all.stream().allMatch(Processes::isGone));
    }

    static int await(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a process", e);
        }
    }

    static Process start(List<String> command, @Nullable Path log) {
        return start(command, log, null);
    }

    static Process start(List<String> command, @Nullable Path log, @Nullable Path input) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(
                log == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.appendTo(log.toFile()));
        if (input != null) {
            builder.redirectInput(input.toFile());
        }
        if (log != null && log.getParent() != null) {
            builder.directory(log.getParent().toFile());
        }
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says how the log of a process ends. */
    static IllegalStateException failure(String what, Path log) {
        try {
            String text = Files.readString(log);
            return new IllegalStateException(
                    what + "; its log ends with:\n" + text.substring(Math.max(0, text.length() - LOG_CHARS)));
        } catch (IOException e) {
            return new IllegalStateException(what, e);
        }
    }

    /** Orphans may stay behind as zombies where no init collects them; they hold nothing any more. */
    static boolean isGone(ProcessHandle process) {
        return "ZX".indexOf(state(Path.of("/proc", Long.toString(process.pid())))) >= 0;
    }
}
