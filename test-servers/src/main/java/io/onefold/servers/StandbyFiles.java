package io.onefold.servers;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Makes the data directory of a PostgreSQL standby from that of a primary that runs. The binaries that Maven brings have no {@code
 * pg_basebackup}, so that the files are copied between the start and the end of a backup.
 */
final class StandbyFiles {
    /** The standby's name at its primary, also that of its replication slot. */
    static final String NAME = "standby";

    /** What belongs to the process of the primary, or is streamed. */
    private static final Set<String> LEFT_OUT =
            Set.of("postmaster.pid", "postmaster.opts", "pg_wal", "pg_replslot", "pg_stat_tmp", "pg_notify");

    private StandbyFiles() {}

    static void copy(PostgresServer primary, Path from, Path to, Consumer<Path> own) throws IOException {
        try (Connection connection = primary.dataSource(primary.ownDatabase()).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_create_physical_replication_slot('" + NAME + "', true)");
            statement.execute("select pg_backup_start('" + NAME + "', true)");
            Files.walkFileTree(from, new Copying(from, to, own));
            for (String directory :
                    new String[] {"pg_wal", "pg_wal/archive_status", "pg_replslot", "pg_stat_tmp", "pg_notify"}) {
                own.accept(Files.createDirectories(to.resolve(directory)));
            }
            write(to.resolve("backup_label"), label(statement), own);
        } catch (SQLException e) {
            throw new IOException("no backup could be made for a standby", e);
        }
        String connects = "host=127.0.0.1 port=" + primary.port() + " user=" + primary.user() + " password="
                + primary.password() + " application_name=" + NAME;
        write(
                to.resolve("postgresql.auto.conf"),
                "primary_conninfo = '" + connects + "'\nprimary_slot_name = '" + NAME + "'\n",
                own);
        write(to.resolve("standby.signal"), "", own);
    }

    private static String label(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
            row.next();
            return row.getString(1);
        }
    }

    private static void write(Path file, String text, Consumer<Path> own) throws IOException {
        Files.writeString(file, text);
        own.accept(file);
    }

    /** A file that vanishes meanwhile is made again from the log. */
    private static final class Copying extends SimpleFileVisitor<Path> {
        private final Path from;
        private final Path to;
        private final Consumer<Path> own;

        Copying(Path from, Path to, Consumer<Path> own) {
            this.from = from;
            this.to = to;
            this.own = own;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (isLeftOut(directory)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            Path made = Files.createDirectories(to.resolve(from.relativize(directory)));
            Files.setPosixFilePermissions(made, Files.getPosixFilePermissions(directory));
            own.accept(made);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (!isLeftOut(file)) {
                try {
                    own.accept(Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES));
                } catch (NoSuchFileException e) {
                    return FileVisitResult.CONTINUE;
                }
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        private boolean isLeftOut(Path path) {
            return from.equals(path.getParent())
                    && LEFT_OUT.contains(path.getFileName().toString());
        }
    }
}
