package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the demo is about: orders, and a payment provider that charges whenever it is asked to. The provider is a file of charges, a
 * line for each, written through to the disk: it outlives the process that had it charge.
 */
final class Shop {

    record Order(String id, String customer, long cents) {}

    record Receipt(String number, String order, long cents) {}

    private final Path charges;

    Shop(Path directory) {
        this.charges = directory.resolve("charges.tsv");
    }

    /**
     * Charges the customer, again each time.
     *
     * @param reference what the charge can be looked up by later
     */
    synchronized Receipt charge(Order order, String reference) {
        try (RandomAccessFile file = new RandomAccessFile(charges.toFile(), "rwd");
                FileLock unusedLock = file.getChannel().lock()) {
            int number = 1;
            while (file.readLine() != null) {
                number++;
            }
            Receipt receipt = new Receipt("R-" + number, order.id(), order.cents());
            String line = String.join("\t", reference, receipt.number(), receipt.order(), "" + receipt.cents()) + "\n";
            file.write(line.getBytes(UTF_8));
            return receipt;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Nullable
    Receipt find(String reference) {
        return lines().stream()
                .filter(line -> line[0].equals(reference))
                .map(line -> new Receipt(line[1], line[2], Long.parseLong(line[3])))
                .findFirst()
                .orElse(null);
    }

    /** How often this order was charged, by whichever process. */
    long charges(Order order) {
        return lines().stream().filter(line -> line[2].equals(order.id())).count();
    }

    private List<String[]> lines() {
        try {
            return Files.exists(charges)
                    ? Files.readAllLines(charges).stream()
                            .map(line -> line.split("\t", -1))
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
