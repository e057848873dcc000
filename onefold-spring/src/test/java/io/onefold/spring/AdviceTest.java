package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.UnknownOutcomeException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** Advice that stands between the record and the method, as breakers and transactions do. */
class AdviceTest {
    private final AnnotationConfigApplicationContext context = Context.inMemory(Guarded.class, Guards.class);
    private final Guarded guarded = context.getBean(Guarded.class);
    private final Guard guard = context.getBean(Guard.class);

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void what_advice_refuses_was_not_done_and_may_be_tried_again() {
        guard.refuses = true;
        // more often than attempts are allowed, for none was made
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> guarded.pay("k")).isInstanceOf(Guard.OpenException.class);
        }
        guard.refuses = false;
        assertThat(guarded.pay("k")).isEqualTo(1);
        assertThat(guarded.pay("k")).isEqualTo(1);
    }

    @Test
    void a_future_that_advice_refuses_may_be_tried_again() throws Exception {
        guard.refuses = true;
        assertThatThrownBy(() -> guarded.payLater("k").get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(Guard.OpenException.class);
        guard.refuses = false;
        assertThat(guarded.payLater("k").get()).isEqualTo(1);
    }

    @Test
    void a_mono_that_advice_refuses_may_be_tried_again() {
        guard.refuses = true;
        assertThatThrownBy(() -> guarded.payReactively("k").block()).isInstanceOf(Guard.OpenException.class);
        guard.refuses = false;
        assertThat(guarded.payReactively("k").block()).isEqualTo(1);
        assertThat(guarded.payReactively("k").block()).isEqualTo(1);
    }

    @Test
    void a_mono_whose_method_throws_is_unknown() {
        assertThatThrownBy(() -> guarded.failReactively("k").block()).isInstanceOf(Guard.OpenException.class);
        assertThatThrownBy(() -> guarded.failReactively("k").block()).isInstanceOf(UnknownOutcomeException.class);
    }

    @Test
    void what_advice_refuses_of_a_joined_method_is_no_attempt_either() {
        try (AnnotationConfigApplicationContext joined = Context.onH2(Joined.class, Guards.class)) {
            Joined bean = joined.getBean(Joined.class);
            joined.getBean(Guard.class).refuses = true;
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> bean.payOnce("k")).isInstanceOf(Guard.OpenException.class);
            }
            joined.getBean(Guard.class).refuses = false;
            assertThat(bean.payOnce("k")).isEqualTo(1);
            assertThat(bean.payOnce("k")).isEqualTo(1);
        }
    }

    @Test
    void what_failed_in_the_method_is_unknown_whatever_advice_makes_of_it() {
        assertThatThrownBy(() -> guarded.fail("k")).isInstanceOf(Guard.OpenException.class);
        assertThatThrownBy(() -> guarded.fail("k")).isInstanceOf(UnknownOutcomeException.class);
        assertThat(guarded.runs()).hasValue(1);
    }

    @Test
    void what_advice_lets_in_after_it_has_given_up_is_not_done() throws Exception {
        CompletableFuture<Callable<?>> given = new CompletableFuture<>();
        guard.late = given;
        assertThatThrownBy(() -> guarded.pay("k")).isInstanceOf(Guard.OpenException.class);
        Callable<?> late = given.get();
        guard.late = null;
        assertThat(guarded.pay("k")).isEqualTo(1);
        assertThatThrownBy(late::call).hasMessageContaining("given up");
        assertThat(guarded.runs()).hasValue(1);
    }

    static class Guarded {
        private final AtomicInteger runs = new AtomicInteger();

        public AtomicInteger runs() {
            return runs;
        }

        @Idempotent(operation = "pay", key = "#id")
        public int pay(String id) {
            return runs.incrementAndGet();
        }

        @Idempotent(operation = "pay-later", key = "#id")
        public CompletableFuture<Integer> payLater(String id) {
            return CompletableFuture.completedFuture(runs.incrementAndGet());
        }

        @Idempotent(operation = "pay-reactively", key = "#id")
        public Mono<Integer> payReactively(String id) {
            return Mono.fromSupplier(runs::incrementAndGet);
        }

        @Idempotent(operation = "fail-reactively", key = "#id")
        public Mono<Integer> failReactively(String id) {
            throw new IllegalStateException("who knows");
        }

        @Idempotent(operation = "fail", key = "#id")
        public int fail(String id) {
            runs.incrementAndGet();
            throw new IllegalStateException("who knows");
        }
    }

    static class Joined extends Guarded {
        @Transactional
        @Idempotent(operation = "pay-once", key = "#id", mode = TransactionMode.JOINED, maxAttempts = 2)
        public int payOnce(String id) {
            return runs().incrementAndGet();
        }
    }

    static class Guards {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Guard guard() {
            return new Guard();
        }

        /** In the order that advice has by default, which is the last. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor guardAdvisor(Guard guard) {
            return new DefaultPointcutAdvisor(new ComposablePointcut(new RootClassFilter(Guarded.class)), guard);
        }
    }

    static class Guard implements MethodInterceptor {
        volatile boolean refuses;
        volatile @Nullable CompletableFuture<Callable<?>> late;

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            if (refuses) {
                throw new OpenException();
            }
            CompletableFuture<Callable<?>> later = late;
            if (later != null) {
                MethodInvocation copy = ((ProxyMethodInvocation) invocation).invocableClone();
                later.complete(() -> IdempotentInterceptor.proceed(copy));
                throw new OpenException();
            }
            try {
                return invocation.proceed();
            } catch (IllegalStateException e) {
                throw String.valueOf(e.getMessage()).contains("given up") ? e : new OpenException();
            }
        }

        static final class OpenException extends RuntimeException {
            private static final long serialVersionUID = 1;
        }
    }
}
