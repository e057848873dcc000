package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.RefusedException;
import io.onefold.spring.legacy.Idempotent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** The annotation of those who changed their import. */
class LegacyTest {
    record Order(String orderId) {}

    static class Orders {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(tokenExpression = "#request.orderId", expireTime = 300, message = "订单正在处理中，请勿重复提交")
        public int create(Order request, @Nullable RuntimeException failure) {
            int run = runs.incrementAndGet();
            if (failure != null) {
                throw failure;
            }
            return run;
        }

        @Idempotent(tokenExpression = "#id")
        public int plain(String id) {
            return runs.incrementAndGet();
        }
    }

    @Test
    void a_duplicate_is_refused_with_the_message() {
        try (AnnotationConfigApplicationContext context = Context.inMemory(Orders.class)) {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.create(new Order("1"), null)).isEqualTo(1);
            assertThatThrownBy(() -> orders.create(new Order("1"), null))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("订单正在处理中，请勿重复提交");
            orders.plain("x");
            assertThatThrownBy(() -> orders.plain("x")).hasMessageContaining("请勿重复提交");
        }
    }

    @Test
    void after_a_failure_the_token_may_be_used_again() {
        try (AnnotationConfigApplicationContext context = Context.inMemory(Orders.class)) {
            Orders orders = context.getBean(Orders.class);
            IllegalStateException failure = new IllegalStateException("no");
            assertThatThrownBy(() -> orders.create(new Order("1"), failure)).isSameAs(failure);
            assertThatThrownBy(() -> orders.create(new Order("1"), failure)).isSameAs(failure);
        }
    }

    @Test
    void the_first_answer_is_returned_if_so_configured() {
        LegacySettings settings = new LegacySettings(Duration.ofSeconds(60), true, Duration.ofMillis(300));
        try (AnnotationConfigApplicationContext context =
                Context.inMemory(with -> with.registerBean(LegacySettings.class, () -> settings), Orders.class)) {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.plain("x")).isEqualTo(1);
            assertThat(orders.plain("x")).isEqualTo(1);
            IdempotentMethod method =
                    context.getBean(IdempotentMethods.class).all().get(1);
            assertThat(method.settings().keep()).isEqualTo(Duration.ofSeconds(60));
            assertThat(method.settings().waitFor()).isEqualTo(Duration.ofMillis(300));
        }
    }
}
