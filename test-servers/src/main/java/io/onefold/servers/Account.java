package io.onefold.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The account that servers run under. Database servers refuse to run as root, and no other needs to be, so root starts them as nobody: by {@code setpriv}, or
 * where that is missing by {@code unshare -U}, in which root is nobody but still owns its files.
 *
 * @param prefix what stands before a server's command
 * @param changesOwner whether the files must be given to nobody
 */
record Account(List<String> prefix, boolean changesOwner) {
    private static final int NOBODY = 65534;

    static Account current() {
        if (uid(Path.of("/proc/self")) != 0) {
            return new Account(List.of(), false);
        }
        if (onPath("setpriv")) {
            return new Account(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"), true);
        }
        if (onPath("unshare")) {
            return new Account(List.of("unshare", "-U"), false);
        }
        throw new IllegalStateException("Servers do not run as root, and neither setpriv nor unshare is on the PATH"
                + " (both belong to util-linux); run as another user or install one of them");
    }

    List<String> command(List<String> command) {
        return Stream.concat(prefix.stream(), command.stream()).toList();
    }

    void own(Path path) {
        if (changesOwner) {
            try {
                Files.setAttribute(path, "unix:uid", NOBODY);
                Files.setAttribute(path, "unix:gid", NOBODY);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Whether only root may be able to look into its home. */
    static boolean isRoot() {
        return uid(Path.of("/proc/self")) == 0;
    }

    static boolean owns(Path path) {
        return uid(path) == uid(Path.of("/proc/self"));
    }

    private static int uid(Path path) {
        try {
            return (Integer) Files.getAttribute(path, "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean onPath(String command) {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator, -1))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, command)));
    }
}
