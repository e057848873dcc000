package io.onefold.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The processes of a server: those that have its directory as theirs. */
final class ServerProcesses {
    private ServerProcesses() {}

    static List<Long> of(Server server) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> isIn(pid, server.home()))
                .toList();
    }

    private static boolean isIn(long pid, Path home) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd"))
                    .startsWith(home);
        } catch (IOException e) {
            return false;
        }
    }
}
