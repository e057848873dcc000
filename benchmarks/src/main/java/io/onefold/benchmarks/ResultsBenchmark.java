package io.onefold.benchmarks;

import io.onefold.jackson.JacksonCodec;
import io.onefold.payload.Codec;
import io.onefold.payload.JsonCodec;
import io.onefold.payload.ResultSerializer;
import io.onefold.store.ResultPayload;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to write a result, without and with the proof that it reads back as itself. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ResultsBenchmark {

    public record Item(String sku, int count, BigDecimal price) {}

    /** About 300 bytes of JSON. */
    public record Receipt(String number, String order, Instant at, String currency, List<Item> items) {}

    /** An HTTP answer of 100 KiB as it is kept. */
    public record Answer(int status, List<String> headers, String text) {}

    private static final byte[] CONTEXT = {1};

    @Param({"json", "jackson"})
    public String codec = "json";

    private final Codec core = new JsonCodec();
    private final Codec jackson = JacksonCodec.standard();
    private final ResultSerializer ofCore = ResultSerializer.with(core);
    private final ResultSerializer ofJackson = ResultSerializer.with(jackson);
    private final Receipt receipt = new Receipt(
            "R-20261115-0001",
            "order-20261115-0001",
            Instant.parse("2026-11-15T08:30:00.123456Z"),
            "EUR",
            List.of(
                    new Item("sku-000000000001", 2, new BigDecimal("19.90")),
                    new Item("sku-000000000002", 1, new BigDecimal("5.00")),
                    new Item("sku-000000000003", 12, new BigDecimal("0.35"))));
    private final Answer answer =
            new Answer(201, List.of("Content-Type", "application/json"), "{\"name\":\"value\"}".repeat(6_400));

    private Codec codec() {
        return codec.equals("json") ? core : jackson;
    }

    private ResultSerializer results() {
        return codec.equals("json") ? ofCore : ofJackson;
    }

    @Benchmark
    public byte[] receiptUnproven() {
        return codec().encode(receipt, Receipt.class);
    }

    @Benchmark
    public ResultPayload receipt() {
        return results().value(receipt, Receipt.class, 1 << 20, CONTEXT);
    }

    @Benchmark
    public byte[] answerUnproven() {
        return codec().encode(answer, Answer.class);
    }

    @Benchmark
    public ResultPayload answer() {
        return results().value(answer, Answer.class, 1 << 20, CONTEXT);
    }
}
