package io.onefold.benchmarks.stores;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A file, in which there is one writer at a time. */
final class Sqlite extends Database {
    static final String ID = "sqlite";

    private static final int BUSY_MILLIS = 60_000;

    private final Path directory = directory();
    private final DataSource source = source(directory.resolve("bench.db"));

    @Override
    String id() {
        return ID;
    }

    @Override
    DataSource unpooled() {
        return source;
    }

    @Override
    String identity() {
        return "integer";
    }

    @Override
    Stream<Setting> durability() {
        return Stream.of("journal_mode", "synchronous").map(name -> new Setting(name, "pragma " + name));
    }

    @Override
    public void close() {
        super.close();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DataSource source(Path file) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_MILLIS);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        return source;
    }

    private static Path directory() {
        try {
            return Files.createTempDirectory("onefold-bench");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
