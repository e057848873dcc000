package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;

/** What the fault tests run: an effect that nothing but Onefold keeps from happening twice. */
final class Pay {
    static final Operation<String> ONCE = Operation.of("pay", String.class).waitFor(Duration.ZERO);

    private Pay() {}

    static Operation<String> leased(Duration lease) {
        Duration longest = Duration.ofHours(2);
        return ONCE.lease(lease, longest);
    }

    /** An effect outside the database: a line in a file, on disk when it returns. */
    static String abroad(Path file, String key, String result) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap((key + "\n").getBytes(UTF_8)));
            channel.force(true);
        }
        return result;
    }

    static int paidAbroad(Path file, String key) throws IOException {
        return Files.exists(file)
                ? (int) Files.readAllLines(file, UTF_8).stream()
                        .filter(key::equals)
                        .count()
                : 0;
    }

    /** An effect in the database: a row in a table without a unique column. */
    static String inLedger(Connection connection, String key, String result) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into ledger (reference) values (?)")) {
            insert.setString(1, key);
            insert.executeUpdate();
            return result;
        }
    }
}
