package io.onefold.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpoolTest {
    private static final BodyRules RULES = BodyRules.standard();
    private static final BodyMemoryLimit MEMORY = new BodyMemoryLimit(10 << 20);
    private static final Path NOWHERE = Path.of("nowhere");

    @TempDir
    Path directory;

    @AfterEach
    void no_memory_is_left_taken() {
        assertThat(MEMORY.taken()).isZero();
    }

    @AfterEach
    void no_file_is_left_behind() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    private static Problem refused(BodyRules rules, Sent sent) {
        return Sent.rejected(() -> sent.spooled(rules));
    }

    private static Sent announcing(String... lengths) {
        Sent sent = Sent.nothing();
        for (String length : lengths) {
            sent = sent.header("content-length", length);
        }
        return sent.body("12345");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 511, 512, 513, 8191, 8192, 8193, 16384, 16385, 50_000, 50_001, 100_000})
    void what_was_written_is_read_as_often_as_needed(int length) throws Exception {
        byte[] bytes = Seeded.bytes(new SplittableRandom(length), length);
        try (BodySpool spool = new BodySpool(RULES.memory(50_000), Sent.nothing(), MEMORY, directory)) {
            SplittableRandom random = new SplittableRandom(length);
            for (int at = 0; at < length; ) {
                int now = Math.min(length - at, random.nextInt(random.nextBoolean() ? 10 : 20_000));
                spool.write(bytes, at, now);
                at += now;
            }
            SpooledBody body = spool.done();
            assertThat(body.length()).isEqualTo(length);
            try (InputStream one = body.open();
                    InputStream other = body.open()) {
                assertThat(one.available()).isEqualTo(length);
                assertThat(one.readNBytes(length / 2)).hasSize(length / 2);
                assertThat(other.readAllBytes()).isEqualTo(bytes);
                assertThat(one.readAllBytes()).hasSize(length - length / 2);
                assertThat(one.read()).isEqualTo(-1);
                assertThat(one.read(new byte[1], 0, 0)).isZero();
            }
            if (length > 0) {
                assertThat(body.open().read()).isEqualTo(bytes[0] & 0xFF);
            }
        }
    }

    @Test
    void a_body_may_be_as_large_as_allowed_and_no_larger() throws ProblemException {
        assertThat(Sent.nothing().body(new byte[5]).spooled(RULES.max(5)).length())
                .isEqualTo(5);
        assertThat(refused(RULES.max(4), Sent.nothing().body(new byte[5])))
                .isEqualTo(Problem.of(
                        Problem.ProblemType.BODY_TOO_LARGE, "The body has more than the 4 bytes that are allowed"));
        assertThat(Sent.nothing().spooled(RULES.max(0)).length()).isZero();
    }

    @Test
    void a_body_that_was_refused_stays_refused() throws ProblemException {
        BodySpool spool = new BodySpool(RULES.max(4), Sent.nothing(), MEMORY, directory);
        spool.write(new byte[3], 0, 3);
        assertThat(Sent.rejected(() -> spool.write(new byte[2], 0, 2)).type())
                .isEqualTo(Problem.ProblemType.BODY_TOO_LARGE);
        assertThat(Sent.rejected(() -> spool.write(new byte[1], 0, 1)).type())
                .isEqualTo(Problem.ProblemType.BODY_TOO_LARGE);
        assertThat(Sent.rejected(spool::done).type()).isEqualTo(Problem.ProblemType.BODY_TOO_LARGE);
    }

    @Test
    void an_announced_length_is_judged_before_the_first_byte() {
        for (String length : new String[] {"11", "000000000000000000000000012", "9".repeat(30)}) {
            assertThat(Sent.rejected(() -> new BodySpool(RULES.max(10), announcing(length), MEMORY, NOWHERE))
                            .type())
                    .isEqualTo(Problem.ProblemType.BODY_TOO_LARGE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+5", "", " ", "5 5", "0x5", "5.0", "５", "5;", "5,", ",5", "5,6", "4,4"})
    void a_length_that_is_none_or_not_the_true_one_is_refused(String length) {
        assertThat(refused(RULES, announcing(length)).type()).isEqualTo(Problem.ProblemType.BODY_INVALID);
    }

    @Test
    void a_length_that_is_said_twice_must_be_the_same() throws ProblemException {
        assertThat(announcing("5").spooled(RULES).length()).isEqualTo(5);
        assertThat(announcing("5", "05").spooled(RULES).length()).isEqualTo(5);
        assertThat(announcing("5, 5").spooled(RULES).length()).isEqualTo(5);
        assertThat(refused(RULES, announcing("5", "6")).detail()).contains("different");
        assertThat(refused(RULES, announcing("5").header("Transfer-Encoding", "chunked"))
                        .detail())
                .contains("contradict");
    }

    @Test
    void a_body_of_another_length_than_announced_is_refused() {
        assertThat(refused(RULES, announcing("6")))
                .isEqualTo(Problem.of(Problem.ProblemType.BODY_INVALID, "The body is shorter than its Content-Length"));
        assertThat(refused(RULES, announcing("4")))
                .isEqualTo(Problem.of(Problem.ProblemType.BODY_INVALID, "The body is longer than its Content-Length"));
    }

    @Test
    void an_ambiguous_type_is_refused() {
        Sent twice = Sent.nothing().header("Content-Type", "text/plain").header("content-type", "text/plain");
        assertThat(refused(RULES, twice).detail()).contains("2 lines of Content-Type");
        for (String type : new String[] {
            "a/b, c/d",
            "json",
            "a/b/c",
            "/",
            "a/b; x",
            "a/b; x=1; X=2",
            "a/b; x=\"1",
            "a/b; x=1, c/d",
            "a/b; x=\"1\" y",
            "a b/c"
        }) {
            assertThat(refused(RULES, Sent.nothing().header("Content-Type", type))
                            .type())
                    .as(type)
                    .isEqualTo(Problem.ProblemType.BODY_INVALID);
        }
    }

    @Test
    void a_type_may_be_written_carelessly() throws ProblemException {
        for (String type : new String[] {
            "application/json;", "APPLICATION/JSON ; charset=utf-8 ;; x=\"a;\\\"b\"", " application/json"
        }) {
            assertThat(Sent.nothing().header("Content-Type", type).spooled().isJson())
                    .as(type)
                    .isTrue();
        }
        assertThat(Sent.nothing().header("Content-Type", "").spooled().isJson()).isFalse();
    }

    @Test
    void more_than_two_codings_are_refused() throws ProblemException {
        assertThat(refused(
                        RULES,
                        Sent.nothing().header("Content-Encoding", "gzip, gzip").header("Content-Encoding", "br")))
                .isEqualTo(Problem.of(
                        Problem.ProblemType.BODY_INVALID, "Content-Encoding names 3 codings; at most 2 are allowed"));
        assertThat(Sent.nothing()
                        .header("Content-Encoding", "identity, GZIP,, identity")
                        .spooled()
                        .codings()
                        .names())
                .containsExactly("gzip");
    }

    @Test
    void multipart_bodies_are_refused_where_they_are_not_wanted() {
        BodyRules rules = RULES.multipart(BodyRules.MultipartHandling.REJECT);
        Problem problem = Sent.rejected(() -> new BodySpool(rules, Sent.multipart("x", ""), MEMORY, NOWHERE));
        assertThat(problem.type()).isEqualTo(Problem.ProblemType.NOT_SUPPORTED);
        assertThat(problem.status()).isEqualTo(415);
    }

    @Test
    void memory_and_no_file_is_used_up_to_the_limit() throws ProblemException {
        assertThat(Sent.nothing()
                        .body(new byte[100])
                        .spooled(RULES.memory(100), NOWHERE)
                        .length())
                .isEqualTo(100);
        Problem problem = Sent.rejected(() -> Sent.nothing().body(new byte[101]).spooled(RULES.memory(100), NOWHERE));
        assertThat(problem)
                .isEqualTo(Problem.of(Problem.ProblemType.OVERLOADED, "The body could not be kept for handling"));
    }

    @Test
    void a_file_is_for_its_owner_only() throws IOException {
        Path file = BodyBuffer.create(directory);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.delete(file);
    }

    @Test
    void a_body_that_was_given_up_is_not_read_any_more() throws Exception {
        for (int memory : new int[] {0, 100}) {
            BodySpool spool = new BodySpool(RULES.memory(memory), Sent.nothing(), MEMORY, directory);
            spool.write(new byte[10], 0, 10);
            SpooledBody body = spool.done();
            InputStream in = body.open();
            spool.close();
            spool.close();
            assertThatThrownBy(in::read).isInstanceOf(IOException.class);
            assertThat(Sent.rejected(() -> spool.write(new byte[1], 0, 1)).detail())
                    .contains("given up");
            assertThat(Sent.rejected(spool::done).detail()).contains("given up");
        }
    }

    @Test
    void another_thread_may_give_up_the_body_at_any_time() throws Exception {
        for (int round = 0; round < 200; round++) {
            BodySpool spool = new BodySpool(RULES.memory(1_000), Sent.nothing(), MEMORY, directory);
            CountDownLatch begun = new CountDownLatch(1);
            Thread closer = new Thread(() -> {
                try {
                    begun.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                spool.close();
            });
            closer.start();
            try {
                for (int i = 0; i < 200; i++) {
                    spool.write(new byte[50], 0, 50);
                    if (i == round % 30) {
                        begun.countDown();
                    }
                }
                spool.done();
            } catch (ProblemException e) {
                assertThat(e.problem().detail()).contains("given up");
            }
            closer.join();
            no_file_is_left_behind();
        }
    }

    @Test
    void all_bodies_together_have_no_more_memory_than_there_is_for_them() throws Exception {
        BodyMemoryLimit memory = new BodyMemoryLimit(100_000);
        byte[] bytes = Seeded.bytes(new SplittableRandom(7), 30_000);
        List<BodySpool> spools = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            spools.add(new BodySpool(RULES, Sent.nothing(), memory, directory));
        }
        for (int at = 0; at < bytes.length; at += 1_000) {
            for (BodySpool spool : spools) {
                spool.write(bytes, at, 1_000);
                assertThat(memory.taken()).isBetween(0L, 100_000L);
            }
        }
        assertThat(memory.taken()).as("some have stayed in memory").isPositive();
        for (BodySpool spool : spools) {
            SpooledBody body = spool.done();
            assertThat(body.bytes()).isEqualTo(bytes);
            try (InputStream in = body.open()) {
                assertThat(in.readAllBytes()).isEqualTo(bytes);
            }
            spool.close();
            spool.close();
        }
        assertThat(memory.taken()).isZero();
    }

    @Test
    void what_a_body_stands_for_does_not_depend_on_how_much_memory_others_left() throws Exception {
        byte[] json = ("{\"b\":1.0,\"a\":\"" + "x".repeat(2_000) + "\"}").getBytes(US_ASCII);
        Sent sent = Sent.nothing().header("Content-Type", Sent.JSON);
        try (BodySpool inMemory = new BodySpool(RULES, sent, new BodyMemoryLimit(1 << 20), directory);
                BodySpool inFile = new BodySpool(RULES, sent, new BodyMemoryLimit(0), directory)) {
            inMemory.write(json, 0, json.length);
            inFile.write(json, 0, json.length);
            SpooledBody one = inMemory.done();
            SpooledBody other = inFile.done();
            assertThat(one.kind()).isEqualTo(other.kind());
            assertThat(one.print()).isEqualTo(other.print());
        }
    }

    @Test
    void a_small_body_asks_nobody_for_memory() throws Exception {
        try (BodySpool spool = new BodySpool(RULES, Sent.nothing(), new BodyMemoryLimit(0), NOWHERE)) {
            spool.write(new byte[512], 0, 512);
            assertThat(spool.done().bytes()).hasSize(512);
        }
    }

    @Test
    void a_large_body_costs_little_memory() throws Exception {
        byte[] piece = Seeded.bytes(new SplittableRandom(1), 1 << 16);
        for (String type : new String[] {"application/octet-stream", Sent.JSON, "multipart/form-data; boundary=x"}) {
            Sent sent = Sent.nothing().header("Content-Type", type);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            byte[] opening = "--x\r\n\r\n".getBytes(US_ASCII);
            byte[] closing = "\r\n--x--".getBytes(US_ASCII);
            long before = threads.getCurrentThreadAllocatedBytes();
            try (BodySpool spool = new BodySpool(RULES, sent, MEMORY, directory)) {
                spool.write(opening, 0, opening.length);
                for (int i = 0; i < 159; i++) {
                    spool.write(piece, 0, piece.length);
                }
                spool.write(closing, 0, closing.length);
                SpooledBody body = spool.done();
                assertThat(body.print()).isNotNull();
                try (InputStream in = body.open()) {
                    while (in.read(piece) >= 0) {}
                }
            }
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                    .as(type)
                    .isLessThan(2 << 20);
        }
    }
}
