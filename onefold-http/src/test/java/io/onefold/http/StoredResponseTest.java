package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.payload.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredResponseTest {
    private static final JsonCodec CODEC = new JsonCodec();

    private static StoredResponse again(StoredResponse stored) {
        byte[] bytes = CODEC.encode(stored, StoredResponse.class);
        return (StoredResponse) Objects.requireNonNull(CODEC.decode(bytes, StoredResponse.class, CODEC.version()));
    }

    @Test
    void a_text_is_stored_as_text_and_anything_else_as_bytes() {
        StoredResponse text = StoredResponse.of(200, List.of(), "läuft".getBytes(StandardCharsets.UTF_8), 1);
        assertThat(text.text()).isEqualTo("läuft");
        StoredResponse bytes = StoredResponse.of(200, List.of(), new byte[] {(byte) 0xFF, 0}, 1);
        assertThat(bytes.text()).isNull();
        assertThat(again(bytes).body()).containsExactly(0xFF, 0);
        assertThat(again(text).body()).isEqualTo(text.body());
        assertThat(again(StoredResponse.of(200, List.of(), null, 1)).whole()).isFalse();
    }

    @Test
    void any_body_comes_back_as_it_was() {
        for (long seed = 0; seed < 20_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] body = new byte[random.nextInt(40)];
            for (int i = 0; i < body.length; i++) {
                body[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt(256) : random.nextInt(32, 127));
            }
            assertThat(again(StoredResponse.of(200, List.of(), body, seed)).body())
                    .as("seed %d", seed)
                    .isEqualTo(body);
        }
    }

    @Test
    void bytes_that_somebody_else_has_written_are_an_answer_or_refused_and_never_another_header() {
        byte[] real = CODEC.encode(
                StoredResponse.of(
                        201,
                        List.of(new HeaderField("Location", "/a"), new HeaderField("ETag", "x")),
                        new byte[] {65},
                        7),
                StoredResponse.class);
        RecordFuzz.fuzzerTestOneInput(new String(real, StandardCharsets.UTF_8)
                .replace("\"/a\"", "null")
                .getBytes(StandardCharsets.UTF_8));
        for (long seed = 0; seed < 50_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = real.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            RecordFuzz.fuzzerTestOneInput(bytes);
        }
    }

    @Test
    void a_header_that_would_begin_another_is_neither_stored_nor_sent() {
        List<HeaderField> evil =
                List.of(new HeaderField("Location", "/a\r\nSet-Cookie: x"), new HeaderField("Link\r\nX", "y"));
        assertThat(StoredHeaderRules.kept(evil, Set.of("link\r\nx"))).isEmpty();
        StoredResponse forged = new StoredResponse(
                200,
                List.of("Location", "/a\r\nSet-Cookie: x", "Set-Cookie", "y", "ETag", "z", "odd"),
                "",
                new byte[0],
                true,
                1);
        assertThat(forged.fields()).containsExactly(new HeaderField("ETag", "z"));
    }

    @Test
    void what_a_connection_names_is_not_kept() {
        List<HeaderField> all = List.of(
                new HeaderField("Connection", "close, ETag"),
                new HeaderField("ETag", "x"),
                new HeaderField("Link", "y"));
        assertThat(StoredHeaderRules.kept(all, Set.of())).containsExactly(new HeaderField("Link", "y"));
        assertThat(StoredHeaderRules.passed(all, new ReplayHeader(ReplayHeader.USUAL)))
                .containsExactly(new HeaderField("Link", "y"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie",
                "Set-Cookie2",
                "Authorization",
                "X-RateLimit-Left",
                "Access-Control-Max-Age",
                "Date",
                "Onefold-Stored"
            })
    void what_belongs_to_one_moment_is_never_stored_whoever_asks(String name) {
        assertThatThrownBy(() -> HttpPolicy.unchanged().storeHeaders(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name.toLowerCase(Locale.ROOT));
    }
}
