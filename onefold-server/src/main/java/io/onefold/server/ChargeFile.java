package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The demo shop's charges: a file with a line for each, written through to the disk, which outlives a killed shop. */
final class ChargeFile {
    private final Path file;
    private final List<Charge> charges = new CopyOnWriteArrayList<>();

    /**
     * @param reference the customer's name for it; empty for none
     * @param amount in the smallest unit of the currency
     */
    record Charge(String id, String order, long amount, String currency, String reference) {

        String json() {
            return "{\"id\":\"" + id + "\",\"order\":\"" + order + "\",\"amount\":" + amount + ",\"currency\":\""
                    + currency + "\"}";
        }

        private String line() {
            return String.join("\t", id, order, "" + amount, currency, URLEncoder.encode(reference, UTF_8)) + "\n";
        }

        private static Charge of(String line) {
            String[] parts = line.split("\t", -1);
            return new Charge(
                    parts[0], parts[1], Long.parseLong(parts[2]), parts[3], URLDecoder.decode(parts[4], UTF_8));
        }
    }

    ChargeFile(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            Files.readAllLines(file).forEach(line -> charges.add(Charge.of(line)));
        }
    }

    synchronized Charge add(String order, long amount, String currency, String reference) throws IOException {
        Charge charge = new Charge("ch-" + (charges.size() + 1), order, amount, currency, reference);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            ByteBuffer line = ByteBuffer.wrap(charge.line().getBytes(UTF_8));
            while (line.hasRemaining()) {
                channel.write(line);
            }
            channel.force(true);
        }
        charges.add(charge);
        return charge;
    }

    List<Charge> charges() {
        return charges;
    }
}
