package io.onefold.benchmarks;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import io.onefold.store.MemoryStore;
import io.onefold.store.NearCache;
import io.onefold.store.RecordId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the engine itself costs, on a store that costs nothing: a replay with the key hashed and the payload's fingerprint
 * computed, next to the parts it is made of. The result cannot change, so it was decoded once.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class MemoryBenchmark {

    /** A request such as many are. */
    public record Order(String id, long cents, String currency) {}

    /** An answer such as many are. */
    public record Receipt(String number, String order, long cents) {}

    private static final Operation<Receipt> CHARGE = Operation.of("charge", Receipt.class);

    private final Order order = new Order("order-20261115-0001", 4_200, "EUR");
    private final Receipt receipt = new Receipt("R-1", "order-20261115-0001", 4_200);
    private final Onefold onefold = Onefold.on(new MemoryStore());
    private final Onefold cached = Onefold.on(NearCache.over(new MemoryStore(), 1_024, System::nanoTime));
    private final byte[] block = new byte[48];
    private final MessageDigest sha256 = sha256();
    private long next;

    @Setup
    public void execute() {
        replay();
        replayFromNearCache();
    }

    @Benchmark
    public @Nullable Receipt replay() {
        return onefold.run(CHARGE, Key.of(order.id()).matching(order), attempt -> receipt);
    }

    @Benchmark
    public @Nullable Receipt replayFromNearCache() {
        return cached.run(CHARGE, Key.of(order.id()).matching(order), attempt -> receipt);
    }

    /** Each under a key of its own; the store grows. */
    @Benchmark
    @Measurement(iterations = 5, batchSize = 100_000)
    @Warmup(iterations = 3, batchSize = 100_000)
    @BenchmarkMode(Mode.SingleShotTime)
    public @Nullable Receipt first() {
        return onefold.run(CHARGE, Key.of("order-" + next++).matching(order), attempt -> receipt);
    }

    @Benchmark
    public Fingerprint partFingerprint() {
        return Fingerprinter.standard().value(order);
    }

    @Benchmark
    public RecordId partIdentity() {
        return RecordId.of("", "charge", order.id());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Benchmark
    public byte[] rawSha256OfOneBlock() {
        return sha256.digest(block);
    }
}
