package io.onefold.store.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * Several processes count in one file, reading it and writing it back under a claim on one key; nothing else keeps them apart. Some
 * are killed. If the claims exclude each other, no count is lost.
 *
 * <p>A killed process may hold the claim. Its death is certain, so the parent frees what it held, as a person would; a lease that
 * ends could not tell a dead owner from a slow one.
 */
public final class ProcessFuzz {
    private static final Duration LEASE = Duration.ofHours(1);
    private static final RetentionPeriod KEEP = RetentionPeriod.of(LEASE);

    private ProcessFuzz() {}

    /** Opens a store in another process; has a constructor without parameters. */
    public interface StoreOpener {
        Store open(String argument) throws Exception;
    }

    /** The counts of the processes: {@code logged} is certain, and each killed process may have counted one more. */
    public record FuzzCount(int counted, int logged, int killed) {

        public boolean exact() {
            return counted >= logged && counted <= logged + killed;
        }
    }

    /**
     * Starts the processes, kills some, and says what they counted.
     *
     * @param store the parent's own handle on what the opener opens
     * @param kills how many of the processes are killed
     */
    public static FuzzCount run(
            Store store,
            Class<? extends StoreOpener> opener,
            String argument,
            Path dir,
            int processes,
            int kills,
            int rounds,
            long seed)
            throws IOException, InterruptedException {
        RecordId id = RecordId.of("fuzz", "count", UUID.randomUUID().toString());
        Files.writeString(dir.resolve("count"), "0");
        Random random = new Random(seed);
        List<Process> running = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            running.add(start(opener, argument, dir, i, id.key(), rounds));
        }
        for (int i = 0; i < kills; i++) {
            Path log = dir.resolve("log-" + i);
            int enough = 1 + random.nextInt(rounds / 2);
            while (running.get(i).isAlive() && (!Files.exists(log) || Files.size(log) < enough)) {
                LockSupport.parkNanos(1_000_000);
            }
            running.get(i).destroyForcibly().waitFor();
        }
        while (running.stream().anyMatch(Process::isAlive)) {
            free(store, id, running);
            LockSupport.parkNanos(2_000_000);
        }
        int logged = 0;
        for (int i = 0; i < processes; i++) {
            if (i >= kills && running.get(i).exitValue() != 0) {
                throw new AssertionError("process " + i + " failed: " + Files.readString(dir.resolve("output-" + i)));
            }
            logged += (int) Files.size(dir.resolve("log-" + i));
        }
        return new FuzzCount(Integer.parseInt(Files.readString(dir.resolve("count"))), logged, kills);
    }

    private static Process start(
            Class<? extends StoreOpener> opener, String argument, Path dir, int number, String key, int rounds)
            throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ProcessFuzz.class.getName(),
                        opener.getName(),
                        argument,
                        dir.toString(),
                        Integer.toString(number),
                        key,
                        Integer.toString(rounds))
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("output-" + number).toFile())
                .start();
    }

    private static void free(Store store, RecordId id, List<Process> running) {
        RecordSnapshot seen = store.find(id);
        if (seen != null && seen.record().status() == Status.PROCESSING) {
            int owner = (int) seen.record().owner().getMostSignificantBits();
            if (!running.get(owner).isAlive()) {
                store.update(
                        seen.record().ticket(), new Change.Settle(UUID.randomUUID(), Status.FREE, null, KEEP, true));
            }
        }
    }

    /** A process: opener, argument, directory, its number, the key, and how often it counts. */
    public static void main(String[] args) throws Exception {
        StoreOpener opener = Class.forName(args[0])
                .asSubclass(StoreOpener.class)
                .getDeclaredConstructor()
                .newInstance();
        Store store = opener.open(args[1]);
        Path dir = Path.of(args[2]);
        int number = Integer.parseInt(args[3]);
        RecordId id = RecordId.of("fuzz", "count", args[4]);
        Files.write(dir.resolve("log-" + number), new byte[0]);
        for (int round = Integer.parseInt(args[5]); round > 0; round--) {
            Ticket ticket = claim(store, id, number);
            Path file = dir.resolve("count");
            int count = Integer.parseInt(Files.readString(file));
            LockSupport.parkNanos(1);
            replace(file, count + 1);
            Files.write(dir.resolve("log-" + number), new byte[1], StandardOpenOption.APPEND);
            if (store.update(ticket, new Change.Release(KEEP)) != UpdateResult.APPLIED) {
                throw new IllegalStateException("a claim was lost that nobody could have taken");
            }
        }
    }

    /** Whole or not at all, so that only the order of reads and writes is at stake. */
    private static void replace(Path file, int count) throws IOException {
        Path next = file.resolveSibling("count-" + ProcessHandle.current().pid());
        Files.write(next, Integer.toString(count).getBytes(UTF_8));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Ticket claim(Store store, RecordId id, int number) {
        while (true) {
            Claim claim = Claim.of(id, new UUID(number, UUID.randomUUID().getLeastSignificantBits()), LEASE);
            ClaimResult claimed = store.claim(claim);
            if (claimed instanceof RecordSnapshot seen && seen.record().status() == Status.FREE) {
                claimed = store.claim(claim.retaking(TakeoverReason.FREE, seen.record(), List.of()));
            }
            if (claimed instanceof ClaimResult.Acquired won) {
                return new Ticket(id, claim.owner(), won.fence());
            }
            LockSupport.parkNanos(200_000);
        }
    }
}
