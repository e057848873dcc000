package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Attempt;
import io.onefold.store.StoreException;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A servlet that does not say that it supports asynchronous requests, as few do: the filter must not need it to. */
class PlainServletTest extends FilterCases {
    @BeforeEach
    void plain() {
        registered = new Container.Registration(true, false, true);
    }

    @Test
    void what_is_not_recorded_at_once_is_answered_when_it_is() throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        store.beforeUpdates = () -> {
            if (failed.compareAndSet(false, true)) {
                throw new StoreException("down on purpose");
            }
        };
        start(counting((request, response) -> {
            response.setStatus(201);
            response.getWriter().print("done");
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).isEqualTo("done");
        assertOnce(first, send(post("k")));
    }

    @Test
    void a_duplicate_that_waited_takes_its_turn() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        start(counting((request, response) -> {
            Attempt attempt = (Attempt) Objects.requireNonNull(request.getAttribute(Attempt.class.getName()));
            if (attempt.number() == 1) {
                assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
                throw attempt.notExecuted("not yet");
            }
            response.setStatus(201);
            response.getWriter().print("attempt " + attempt.number());
        }));
        CompletableFuture<HttpResponse<String>> first = sendAsync(post("k"));
        while (executions.get() == 0) {
            Thread.onSpinWait();
        }
        CompletableFuture<HttpResponse<String>> second = sendAsync(post("k"));
        gate.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
        assertThat(second.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        assertThat(second.get().body()).isEqualTo("attempt 2");
        assertThat(send(post("k")).body()).isEqualTo("attempt 2");
        assertThat(executions).hasValue(2);
    }
}
