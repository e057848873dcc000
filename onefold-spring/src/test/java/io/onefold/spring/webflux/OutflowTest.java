package io.onefold.spring.webflux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Whenever the client comes, it hears how the answer ends. */
class OutflowTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ResponsePublisher out = new ResponsePublisher();

    private StepVerifier.Step<DataBuffer> client(long asking) {
        return StepVerifier.create(Flux.from(out), asking);
    }

    private Mono<Void> offer() {
        return out.offer("piece".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void an_answer_that_failed_before_its_client_came_is_not_a_whole_one() {
        out.fail(new IOException("broken"));
        client(1).expectError(IOException.class).verify(PATIENCE);
    }

    @Test
    void an_answer_that_ended_before_its_client_came_is_a_whole_one() {
        out.complete();
        client(1).expectComplete().verify(PATIENCE);
    }

    @Test
    void a_piece_that_nobody_asked_for_in_time_goes_nowhere() {
        StepVerifier offered = StepVerifier.create(offer()).expectComplete();
        var later = offered.verifyLater();
        out.fail(new IOException("broken"));
        later.verify(PATIENCE);
        client(1).expectError(IOException.class).verify(PATIENCE);
    }

    @Test
    void pieces_come_before_the_failure() {
        client(1)
                .then(() -> offer().subscribe())
                .expectNextCount(1)
                .then(() -> out.fail(new IOException("broken")))
                .expectError(IOException.class)
                .verify(PATIENCE);
    }

    @Test
    void the_first_end_stands() {
        out.fail(new IOException("broken"));
        out.complete();
        client(1).expectError(IOException.class).verify(PATIENCE);
    }
}
