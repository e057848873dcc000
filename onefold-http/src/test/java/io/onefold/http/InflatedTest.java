package io.onefold.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Bodies that are compressed. */
class InflatedTest {
    private static final BodyRules RULES = BodyRules.standard();
    private static final String TEXT = "{\"amount\": 100, \"currency\": \"EUR\"}";

    private static byte[] deflate(byte[] plain, boolean bare) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, bare);
        deflater.setInput(plain);
        deflater.finish();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[1000];
        while (!deflater.finished()) {
            out.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
        return out.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static Sent encoded(String coding, byte[] body) {
        return Sent.nothing()
                .header("Content-Type", Sent.JSON)
                .header("Content-Encoding", coding)
                .body(body);
    }

    private static byte[] decoded(Sent sent) throws IOException, ProblemException {
        try (InputStream content = sent.spooled().content()) {
            return content.readAllBytes();
        }
    }

    private static Problem refused(Sent sent) {
        return Sent.rejected(() -> sent.spooled().print());
    }

    @Test
    void a_body_is_the_same_however_it_is_compressed() throws ProblemException {
        byte[] plain = bytes(TEXT);
        for (Sent sent : List.of(
                encoded("gzip", Sent.gzip(plain)),
                encoded("X-GZip", Sent.gzip(plain)),
                encoded("deflate", deflate(plain, false)),
                encoded("deflate", deflate(plain, true)),
                encoded("deflate, gzip", Sent.gzip(deflate(plain, false))),
                encoded("gzip, gzip", Sent.gzip(Sent.gzip(plain))),
                encoded("identity", plain))) {
            assertThat(sent.print()).isEqualTo(Sent.json(TEXT).print());
        }
    }

    @Test
    void bytes_count_after_decoding() throws ProblemException {
        byte[] plain = bytes("any text");
        Sent sent = Sent.nothing().header("Content-Type", "text/plain").body(plain);
        assertThat(sent.gzipped().print()).isEqualTo(sent.print());
    }

    @Test
    void bytes_count_as_sent_if_the_rules_say_so_or_the_coding_is_not_known() throws ProblemException {
        BodyRules wire = RULES.wireBytes(true);
        Sent one = encoded("gzip", join(Sent.gzip(bytes(TEXT)), Sent.gzip(new byte[0])));
        assertThat(one.print(wire)).isNotEqualTo(Sent.json(TEXT).gzipped().print(wire));
        assertThat(one.print()).isEqualTo(Sent.json(TEXT).gzipped().print());
        assertThat(encoded("br", bytes("x")).print())
                .isEqualTo(encoded("BR", bytes("x")).print());
        assertThat(encoded("br", bytes("x")).print())
                .isNotEqualTo(encoded("br", bytes("y")).print());
        assertThat(encoded("br", bytes("x")).print())
                .isNotEqualTo(encoded("zstd", bytes("x")).print());
        assertThat(encoded("br", bytes("x")).print())
                .isNotEqualTo(Sent.json("x").print());
        assertThat(encoded("gzip, br", bytes("x")).spooled().kind()).isEqualTo("encoded");
        assertThat(Sent.json(TEXT).print(wire))
                .isEqualTo(Sent.json(TEXT.replace(" ", "")).print(wire));
    }

    @Test
    void handling_gets_the_bytes_as_sent() throws Exception {
        byte[] sent = Sent.gzip(bytes(TEXT));
        SpooledBody body = encoded("gzip", sent).spooled();
        assertThat(body.print()).isNotNull();
        assertThat(body.length()).isEqualTo(sent.length);
        assertThat(body.open().readAllBytes()).isEqualTo(sent);
    }

    @Test
    void no_body_at_all_need_not_be_compressed() throws ProblemException {
        assertThat(encoded("gzip", new byte[0]).print()).isEqualTo(Sent.json("").print());
    }

    @Test
    void headers_of_every_kind_are_read_over() throws Exception {
        byte[] plain = Sent.gzip(bytes(TEXT));
        byte[] flags = plain.clone();
        flags[3] = 2 | 4 | 8 | 16;
        byte[] rich = join(
                Arrays.copyOf(flags, 10),
                new byte[] {3, 0, 1, 2, 3},
                bytes("name.json\0comment\0"),
                new byte[] {7, 7},
                Arrays.copyOfRange(plain, 10, plain.length));
        assertThat(decoded(encoded("gzip", rich))).isEqualTo(bytes(TEXT));
        flags[3] = (byte) 0x80;
        assertThat(refused(encoded("gzip", flags)).type()).isEqualTo(Problem.ProblemType.BODY_INVALID);
    }

    @Test
    void several_members_are_one_body() throws Exception {
        byte[] parts = join(Sent.gzip(bytes("{\"a\"")), Sent.gzip(new byte[0]), Sent.gzip(bytes(":1}")));
        assertThat(decoded(encoded("gzip", parts))).isEqualTo(bytes("{\"a\":1}"));
    }

    @Test
    void very_many_empty_members_are_no_danger() throws ProblemException {
        byte[] empty = Sent.gzip(new byte[0]);
        byte[] many = new byte[empty.length * 50_000];
        for (int i = 0; i < many.length; i += empty.length) {
            System.arraycopy(empty, 0, many, i, empty.length);
        }
        assertThat(encoded("gzip", many).print(RULES.memory(2 << 20)))
                .isEqualTo(Sent.json("").print());
    }

    @Test
    void a_bomb_is_refused_before_it_goes_off() {
        byte[] bomb = Sent.gzip(new byte[20 << 20]);
        assertThat(bomb.length).isLessThan(22_000);
        for (Sent sent : List.of(
                encoded("gzip", bomb),
                encoded("gzip, gzip", Sent.gzip(bomb)),
                encoded("deflate", deflate(new byte[1 << 20], false)),
                Sent.nothing().header("Content-Encoding", "gzip").body(bomb),
                Sent.multipart("x", "").header("Content-Encoding", "gzip").body(bomb))) {
            assertThat(refused(sent).type()).isEqualTo(Problem.ProblemType.BODY_TOO_LARGE);
        }
    }

    @Test
    void what_is_decoded_must_not_be_larger_than_a_body_may_be() throws ProblemException {
        Sent sent = Sent.json("[" + "1,".repeat(500) + "1]").gzipped();
        assertThat(sent.spooled(RULES.max(1_003)).kind()).isEqualTo("json");
        assertThat(Sent.rejected(() -> sent.spooled(RULES.max(1_002)).print()).type())
                .isEqualTo(Problem.ProblemType.BODY_TOO_LARGE);
    }

    @Test
    void good_compression_of_a_small_body_is_not_suspicious() throws ProblemException {
        assertThat(encoded("gzip", Sent.gzip(new byte[1 << 16])).spooled().kind())
                .isEqualTo("raw");
        assertThat(refused(encoded("gzip", Sent.gzip(new byte[(1 << 16) + 1]))).type())
                .isEqualTo(Problem.ProblemType.BODY_TOO_LARGE);
    }

    @Test
    void a_body_that_is_cut_off_anywhere_is_refused() {
        byte[] whole = Sent.gzip(bytes(TEXT));
        byte[] zlib = deflate(bytes(TEXT), false);
        byte[] bare = deflate(bytes(TEXT), true);
        for (int length = 1; length < whole.length; length++) {
            assertThat(refused(encoded("gzip", Arrays.copyOf(whole, length))).type())
                    .isEqualTo(Problem.ProblemType.BODY_INVALID);
        }
        for (int length = 1; length < zlib.length; length++) {
            assertThat(refused(encoded("deflate", Arrays.copyOf(zlib, length))).type())
                    .isEqualTo(Problem.ProblemType.BODY_INVALID);
        }
        for (int length = 1; length < bare.length; length++) {
            assertThat(refused(encoded("deflate", Arrays.copyOf(bare, length))).type())
                    .isEqualTo(Problem.ProblemType.BODY_INVALID);
        }
    }

    @Test
    void what_follows_a_compressed_body_is_refused() {
        byte[] more = {0};
        assertThat(refused(encoded("gzip", join(Sent.gzip(bytes(TEXT)), more))).type())
                .isEqualTo(Problem.ProblemType.BODY_INVALID);
        assertThat(refused(encoded("deflate", join(deflate(bytes(TEXT), false), more)))
                        .detail())
                .contains("goes on");
    }

    @Test
    void damage_is_noticed_wherever_it_is() throws Exception {
        byte[] whole = Sent.gzip(bytes(TEXT));
        int unnoticed = 0;
        for (int bit = 80; bit < 8 * whole.length; bit++) {
            byte[] damaged = whole.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                assertThat(decoded(encoded("gzip", damaged))).isEqualTo(bytes(TEXT));
                unnoticed++;
            } catch (InvalidBodyException e) {
                assertThat(e.rejection().problem().type()).isEqualTo(Problem.ProblemType.BODY_INVALID);
            }
        }
        assertThat(unnoticed).as("bits that fill up the last byte").isLessThan(8);
        byte[] dictionary = {0x78, (byte) 0xBB, 1, 2, 3, 4, 3, 0};
        assertThat(refused(encoded("deflate", dictionary)).detail()).contains("dictionary");
    }

    @Test
    void whatever_comes_is_decoded_or_refused() {
        byte[] gzip = Sent.gzip(bytes(TEXT));
        byte[][] good = {
            gzip, deflate(bytes(TEXT), false), Sent.gzip(new byte[3_000]), Sent.gzip(gzip), deflate(gzip, true)
        };
        String[] codings = {"gzip", "deflate", "gzip, deflate", "deflate, gzip", "gzip, gzip"};
        int[] decoded = new int[1];
        Seeded.rounds(5_000, random -> {
            byte[] body = mutated(random, Seeded.pick(random, good));
            SpooledBody spooled = encoded(Seeded.pick(random, codings), body).spooled();
            try {
                spooled.print();
                decoded[0]++;
            } catch (ProblemException e) {
                if (e.problem().type() != Problem.ProblemType.BODY_INVALID
                        && e.problem().type() != Problem.ProblemType.BODY_TOO_LARGE) {
                    throw e;
                }
            }
        });
        assertThat(decoded[0]).isGreaterThan(300);
    }

    private static byte[] mutated(SplittableRandom random, byte[] good) {
        byte[] bytes = good.clone();
        for (int i = random.nextInt(4); i > 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length + 3));
                case 2 -> bytes = join(bytes, good);
                default -> bytes = Seeded.bytes(random, 1 + random.nextInt(40));
            }
        }
        return bytes;
    }
}
