package io.onefold.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpFiguresTest {
    @Test
    void a_share_of_all_answers_took_no_longer() {
        Latencies latencies = new Latencies();
        for (int i = 100; i > 0; i--) {
            latencies.add(i * 1_000L);
        }
        Latencies all = new Latencies();
        all.addAll(latencies);
        assertThat(all.size()).isEqualTo(100);
        assertThat(all.micros(0.5)).isEqualTo(50);
        assertThat(all.micros(0.99)).isEqualTo(99);
        assertThat(new Latencies().micros(0.5)).isNaN();
    }

    @Test
    void a_heap_that_goes_up_and_down_has_not_grown() {
        assertThat(Uploads.slope(List.of(10L, 12L, 14L, 16L))).isEqualTo(2, within(1e-9));
        assertThat(Uploads.slope(List.of(10L, 14L, 14L, 10L))).isEqualTo(0, within(1e-9));
        assertThat(Uploads.slope(List.of(10L))).isZero();
    }

    @Test
    void what_is_asked_and_answered_has_its_size() {
        String key = "01234567-89ab-cdef-0123-456789abcdef";
        assertThat(Order.asked(key)).hasSize(Order.ASKED_BYTES);
        assertThat(Order.key(ByteBuffer.wrap(Order.asked(key).getBytes(US_ASCII))))
                .isEqualTo(key);
        assertThat(Order.answer(key, 1_234_567)).hasSize(Order.ANSWERED_BYTES).startsWith(Order.beginning(key));
    }

    @Test
    void an_answer_is_read_whatever_the_case_of_its_headers() {
        ByteBuffer head = ByteBuffer.wrap(
                "HTTP/1.1 409 Conflict\r\nCONTENT-length: 12\r\nIdempotent-Replayed: true\r\n\r\n".getBytes(US_ASCII));
        Reply reply = new Reply(head, ByteBuffer.allocate(12));
        assertThat(reply.status()).isEqualTo(409);
        assertThat(Reply.length(head)).isEqualTo(12);
        assertThat(reply.has(Reply.line("idempotent-replayed: true"))).isTrue();
        assertThat(reply.has(Reply.line("idempotent-replayed: false"))).isFalse();
    }

    @Test
    void what_is_not_known_is_refused() {
        assertThat(HttpOptions.parse(List.of("--quick")).works()).containsExactly("throughput", "waiting", "uploads");
        assertThatThrownBy(() -> HttpOptions.parse(List.of("--db")))
                .hasMessage("bench --http knows no option \"--db\"");
        assertThatThrownBy(() -> HttpOptions.parse(List.of("--only", "first")))
                .hasMessage("--only needs some of throughput,waiting,uploads, it knows no \"first\"");
    }
}
