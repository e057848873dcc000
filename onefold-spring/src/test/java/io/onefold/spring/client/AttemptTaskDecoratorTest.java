package io.onefold.spring.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.spring.CurrentAttempt;
import io.onefold.store.MemoryStore;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** What tasks on other threads know of the attempt, and what log lines show of it. */
class AttemptTaskDecoratorTest {
    private static final Operation<Void> ORDER = Operation.of("order");

    private final Onefold onefold = Onefold.on(new MemoryStore());
    private final ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();

    @BeforeEach
    void start() {
        executor.setCorePoolSize(1);
        executor.setTaskDecorator(new AttemptTaskDecorator());
        executor.initialize();
        MDC.clear();
    }

    @AfterEach
    void stop() {
        executor.shutdown();
        MDC.clear();
    }

    private interface Inside {
        void run(Attempt attempt) throws Exception;
    }

    private void order(Inside inside) throws Exception {
        onefold.run(
                ORDER,
                Key.of("customer-7"),
                attempt -> CurrentAttempt.with(attempt, () -> {
                    inside.run(attempt);
                    return null;
                }));
    }

    private Seen onTheOtherThread() throws Exception {
        Future<Seen> seen = executor.submit(Seen::here);
        return Objects.requireNonNull(seen.get(10, TimeUnit.SECONDS));
    }

    private record Seen(@Nullable Attempt attempt, Map<String, String> logged) {
        static Seen here() {
            return new Seen(CurrentAttempt.get(), Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of()));
        }
    }

    @Test
    void a_task_has_the_attempt_of_the_thread_that_hands_it_over_and_leaves_nothing() throws Exception {
        order(attempt -> assertThat(onTheOtherThread().attempt()).isSameAs(attempt));
        assertThat(onTheOtherThread()).isEqualTo(new Seen(null, Map.of()));
    }

    @Test
    void log_lines_have_the_safe_form_of_the_key_on_both_threads_and_never_the_key() throws Exception {
        order(attempt -> {
            Map<String, String> safe = Map.of("onefold.operation", "order", "onefold.key", attempt.safeKey());
            assertThat(Seen.here().logged()).isEqualTo(safe);
            assertThat(onTheOtherThread().logged()).isEqualTo(safe);
            assertThat(safe.toString()).doesNotContain("customer-7");
        });
        assertThat(Seen.here().logged()).isEmpty();
    }

    @Test
    void what_log_lines_had_before_is_restored() throws Exception {
        MDC.put("onefold.key", "earlier");
        order(outer -> {
            CurrentAttempt.with(null, () -> {
                assertThat(Seen.here()).isEqualTo(new Seen(null, Map.of()));
                return true;
            });
            assertThat(Seen.here().logged()).containsEntry("onefold.key", outer.safeKey());
        });
        assertThat(Seen.here().logged()).isEqualTo(Map.of("onefold.key", "earlier"));
    }

    @Test
    void the_exception_of_a_task_passes() {
        IllegalStateException own = new IllegalStateException();
        Runnable failing = () -> {
            throw own;
        };
        try {
            order(attempt -> new AttemptTaskDecorator().decorate(failing).run());
        } catch (Exception e) {
            assertThat(e).isSameAs(own);
            return;
        }
        throw new AssertionError("nothing was thrown");
    }
}
