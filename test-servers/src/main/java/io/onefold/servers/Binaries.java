package io.onefold.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;

/** Unpacked servers, kept from run to run. Each is unpacked aside and renamed, so several JVMs may do so at once. */
final class Binaries {
    private static final String EXECUTABLE = "rwxr-xr-x";
    private static final String READABLE = "rw-r--r--";

    private Binaries() {}

    /** Writes the files of a server below a directory. */
    interface Unpacking {
        void into(Path directory) throws IOException;
    }

    static Path unpacked(String name, Unpacking unpacking) {
        try {
            Path home = cache().resolve(name);
            if (Files.isDirectory(home)) {
                return home;
            }
            Path aside = Files.createTempDirectory(cache(), name + ".");
            try {
                unpacking.into(aside);
                openDirectories(aside);
                moveUnlessThere(aside, home);
            } finally {
                delete(aside);
            }
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + name, e);
        }
    }

    static String requireLinux(String... architectures) {
        String os = System.getProperty("os.name");
        String architecture = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String normal = architecture.equals("x86_64") ? "amd64" : architecture;
        if (!os.equals("Linux") || !Stream.of(architectures).anyMatch(normal::equals)) {
            throw new IllegalStateException("this server comes for Linux on " + String.join(" or ", architectures)
                    + ", but this is " + os + " on " + architecture);
        }
        return normal;
    }

    static void permit(Path path, boolean executable) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(executable ? EXECUTABLE : READABLE));
    }

    static void delete(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static void openDirectories(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.filter(p -> Files.isDirectory(p, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                permit(path, true);
            }
        }
    }

    private static void moveUnlessThere(Path aside, Path home) throws IOException {
        try {
            Files.move(aside, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(home)) {
                throw e;
            }
        }
    }

    /** Root's servers run as nobody, who may not enter root's home. */
    private static Path cache() throws IOException {
        Path cache = Account.isRoot()
                ? Path.of(System.getProperty("java.io.tmpdir"), "onefold-servers-root")
                : userCache().resolve("onefold-servers");
        Files.createDirectories(cache);
        if (!Account.owns(cache)) {
            throw new IllegalStateException(cache + " belongs to somebody else; nothing is run from it");
        }
        permit(cache, true);
        return cache;
    }

    private static Path userCache() {
        String set = System.getenv("XDG_CACHE_HOME");
        return set == null || set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
    }
}
