package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.http.Caller;
import io.onefold.http.ReplayHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.web.bind.annotation.PostMapping;

/** What the filter is told of a handler's call: it has begun, unless its refusal was seen. */
class HandlerCallTest {
    private final List<String> told = new ArrayList<>();
    private @Nullable ClaimedRequest request;
    private final AnnotationConfigApplicationContext context = Context.inMemory(
            with -> with.registerBean(RequestResolver.class, () -> any -> request), Payments.class, Guards.class);
    private final Payments payments = context.getBean(Payments.class);
    private final Guard guard = context.getBean(Guard.class);

    @AfterEach
    void stop() {
        context.close();
    }

    /** As the filter does: it claims, and calls the handler. */
    private void claimed(Runnable call) {
        Operation<Void> operation = Operation.of("POST /pay", Void.class);
        context.getBean(Onefold.class).attempt(operation, Key.of("k"), attempt -> {
            request = new ClaimedRequest(attempt, told);
            try {
                call.run();
            } finally {
                request = null;
            }
            return null;
        });
    }

    @Test
    void a_call_that_comes_to_its_method_has_begun() {
        claimed(payments::pay);
        assertThat(told).containsExactly("begun");
        assertThat(payments.runs()).hasValue(1);
    }

    @Test
    void a_call_that_advice_around_all_others_refuses_is_told_to_be_refused() {
        guard.instead = invocation -> {
            throw new UnsupportedOperationException();
        };
        claimed(() -> assertThatThrownBy(payments::pay).isInstanceOf(UnsupportedOperationException.class));
        assertThat(told).containsExactly("begun", "refused");
    }

    @Test
    void what_advice_makes_of_the_methods_own_failure_is_no_refusal() {
        guard.instead = invocation -> {
            invocation.proceed();
            throw new UnsupportedOperationException();
        };
        claimed(() -> assertThatThrownBy(payments::pay).isInstanceOf(UnsupportedOperationException.class));
        assertThat(told).containsExactly("begun");
    }

    /** Or returns before the handler has run: the answer is given, and is kept. */
    @Test
    void a_call_that_advice_answers_in_the_methods_place_has_begun() {
        guard.instead = invocation -> null;
        claimed(payments::pay);
        assertThat(told).containsExactly("begun");
        assertThat(payments.runs()).hasValue(0);
    }

    @Test
    void what_was_refused_is_not_let_in_later() {
        List<Callable<?>> late = new ArrayList<>();
        guard.instead = invocation -> {
            MethodInvocation copy = ((ProxyMethodInvocation) invocation).invocableClone();
            late.add(() -> IdempotentInterceptor.proceed(copy));
            throw new UnsupportedOperationException();
        };
        claimed(() -> {
            assertThatThrownBy(payments::pay).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> late.get(0).call()).hasMessageContaining("given up");
        });
        assertThat(told).containsExactly("begun", "refused");
        assertThat(payments.runs()).hasValue(0);
    }

    @Test
    void without_the_request_that_has_its_key_a_handler_does_not_run() {
        assertThatThrownBy(payments::pay)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Payments.pay does not find the HTTP request that has its key");
        assertThat(payments.runs()).hasValue(0);
        assertThat(payments.payFor("id")).as("its key is an argument").isEqualTo(1);
    }

    @Test
    void calls_of_a_bean_are_seen_only_if_nothing_stands_before_the_advice() {
        IdempotentMethodRegistry methods = context.getBean(IdempotentMethodRegistry.class);
        assertThat(methods.seesCalls(payments)).isTrue();
        ((Advised) payments).addAdvice(0, (MethodInterceptor) MethodInvocation::proceed);
        assertThat(methods.seesCalls(payments)).isFalse();
    }

    static class Payments {
        private final AtomicInteger runs = new AtomicInteger();

        public AtomicInteger runs() {
            return runs;
        }

        @PostMapping("/pay")
        @Idempotent(required = false)
        public void pay() {
            runs.incrementAndGet();
        }

        @PostMapping("/pay-for")
        @Idempotent(key = "#id", scope = "'all'")
        public int payFor(String id) {
            return runs.incrementAndGet();
        }
    }

    static class Guards {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Guard guard() {
            return new Guard();
        }

        /** Outside of Onefold's advice, as method security is. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor guardAdvisor(Guard guard) {
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(IdempotentAdvisor.POINTCUT, guard);
            advisor.setOrder(0);
            return advisor;
        }
    }

    static class Guard implements MethodInterceptor {
        MethodInterceptor instead = MethodInvocation::proceed;

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            return instead.invoke(invocation);
        }
    }

    private record ClaimedRequest(Attempt attempt, List<String> told) implements RequestResolver.HandlerRequest {
        @Override
        public String method() {
            return "POST";
        }

        @Override
        public String path() {
            return "/pay";
        }

        @Override
        public @Nullable String query() {
            return null;
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public Caller caller() {
            return Caller.ANONYMOUS;
        }

        @Override
        public List<String> parameters(String name) {
            return List.of();
        }

        @Override
        public @Nullable String observed() {
            return null;
        }

        @Override
        public void begun() {
            told.add("begun");
        }

        @Override
        public void refused() {
            told.add("refused");
        }

        @Override
        public void answer(String header, String value) {}

        @Override
        public String replayMarker() {
            return ReplayHeader.USUAL;
        }
    }
}
