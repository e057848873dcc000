package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.aspectj.AspectJPrecedenceInformation;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** Handlers that advice takes away from their requests: they do not run where nobody could say that they have. */
class MovedHandlerTest {
    @ParameterizedTest
    @ValueSource(strings = {"/waited", "/mono"})
    void a_handler_on_another_thread_does_not_run_and_its_key_stays_free(String path) throws Exception {
        try (Running desk = Running.start(Servlets.class, ReactiveShopTest.MEMORY)) {
            check(desk, path);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mono", "/many"})
    void a_handler_without_its_context_does_not_run_and_its_key_stays_free(String path) throws Exception {
        try (Running desk = Running.start(Flowing.class, ReactiveShopTest.REACTIVE, ReactiveShopTest.MEMORY)) {
            check(desk, path);
        }
    }

    private static void check(Running desk, String path) throws Exception {
        Mover mover = desk.bean(Mover.class);
        AtomicInteger effects = desk.bean(AtomicInteger.class);
        mover.moves = true;
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> refused = desk.post(path, "k", "{}");
            assertThat(refused.statusCode()).isEqualTo(500);
            assertThat(refused.headers().firstValue("Idempotent-Replayed")).isEmpty();
        }
        assertThat(effects).hasValue(0);

        mover.moves = false;
        HttpResponse<String> first = desk.post(path, "k", "{}");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(desk.post(path, "k", "{}").body()).isEqualTo(first.body());
        assertThat(effects).hasValue(1);
    }

    @Test
    void asynchronous_handlers_are_refused_at_the_start() {
        for (Class<?> application : new Class<?>[] {AsyncMethod.class, AsyncClass.class}) {
            assertThatThrownBy(() -> Running.start(application, ReactiveShopTest.MEMORY))
                    .hasMessageContaining("Handlers.pay")
                    .hasMessageContaining("@Async")
                    .hasMessageContaining("put @Async on a service that the handler calls");
        }
    }

    @Test
    void handlers_behind_a_bulkhead_with_threads_are_refused_at_the_start() {
        assertThatThrownBy(() -> Running.start(Bulkheads.class, ReactiveShopTest.MEMORY))
                .hasMessageContaining("Handlers.pay")
                .hasMessageContaining("@Bulkhead(type = THREADPOOL)");
    }

    @Test
    void in_shadow_asynchronous_handlers_run_as_ever() throws Exception {
        try (Running desk = Running.start(AsyncMethod.class, ReactiveShopTest.MEMORY, "--onefold.mode=shadow")) {
            for (int i = 0; i < 2; i++) {
                assertThat(desk.post("/pay", "k", "{}").body()).isEqualTo("paid");
            }
        }
    }

    static class Moving {
        @Bean
        AtomicInteger effects() {
            return new AtomicInteger();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Mover mover() {
            return new Mover();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor moves(Mover mover) {
            DefaultPointcutAdvisor advisor =
                    new DefaultPointcutAdvisor(new ComposablePointcut(new RootClassFilter(Handlers.class)), mover);
            advisor.setOrder(0);
            return advisor;
        }
    }

    @Application
    @Import({Moving.class, Handlers.class})
    static class Servlets {}

    @ReactiveApplication
    @Import({Moving.class, Handlers.class})
    static class Flowing {}

    static class Mover implements MethodInterceptor {
        volatile boolean moves;

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            if (!moves) {
                return invocation.proceed();
            }
            if (invocation.getMethod().getName().equals("waited")) {
                return waited(invocation);
            }
            Object returned = invocation.proceed();
            return returned instanceof Mono<?> one
                    ? Mono.defer(() -> one.contextWrite(context -> Context.empty()))
                            .subscribeOn(Schedulers.boundedElastic())
                    : returned instanceof Flux<?> many ? many.contextWrite(context -> Context.empty()) : returned;
        }

        /** As a bulkhead with threads of its own does. */
        private static @Nullable Object waited(MethodInvocation invocation) throws Throwable {
            try {
                return CompletableFuture.supplyAsync(() -> {
                            try {
                                return invocation.proceed();
                            } catch (Throwable e) {
                                throw new CompletionException(e);
                            }
                        })
                        .join();
            } catch (CompletionException e) {
                throw e.getCause();
            }
        }
    }

    @RestController
    static class Handlers {
        private final AtomicInteger effects;

        Handlers(AtomicInteger effects) {
            this.effects = effects;
        }

        @PostMapping("/waited")
        @Idempotent(operation = "waited", required = false)
        public String waited() {
            return "paid " + effects.incrementAndGet();
        }

        @PostMapping("/mono")
        @Idempotent(operation = "mono", required = false)
        public Mono<String> mono() {
            return Mono.fromSupplier(() -> "paid " + effects.incrementAndGet());
        }

        @PostMapping("/many")
        @Idempotent(operation = "many", required = false)
        public Flux<String> many() {
            return Flux.defer(() -> Flux.just("paid ", "" + effects.incrementAndGet()));
        }
    }

    @Application
    @EnableAsync
    @Import(AsyncMethod.Handlers.class)
    static class AsyncMethod {
        @RestController
        static class Handlers {
            @Async
            @PostMapping("/pay")
            @Idempotent(operation = "pay", required = false)
            public CompletableFuture<String> pay() {
                return CompletableFuture.completedFuture("paid");
            }
        }
    }

    @Application
    @EnableAsync
    @Import(AsyncClass.Handlers.class)
    static class AsyncClass {
        @Async
        @RestController
        static class Handlers {
            @PostMapping("/pay")
            @Idempotent(operation = "pay", required = false)
            public void pay() {}
        }
    }

    @Application
    @Import(Bulkheads.Handlers.class)
    static class Bulkheads {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static AspectOfBulkheads aspectOfBulkheads() {
            return new AspectOfBulkheads();
        }

        @RestController
        static class Handlers {
            @Bulkhead(name = "pool", type = Bulkhead.Type.THREADPOOL)
            @PostMapping("/pay")
            @Idempotent(operation = "pay", required = false)
            public CompletableFuture<String> pay() {
                return CompletableFuture.completedFuture("paid");
            }
        }
    }

    /** As Spring makes one of Resilience4j's aspect. */
    static class AspectOfBulkheads extends DefaultPointcutAdvisor implements AspectJPrecedenceInformation {
        private static final long serialVersionUID = 1;

        AspectOfBulkheads() {
            super(new ComposablePointcut(new RootClassFilter(Bulkheads.Handlers.class)), (MethodInterceptor)
                    MethodInvocation::proceed);
            setOrder(0);
        }

        @Override
        public String getAspectName() {
            return "bulkheadAspect";
        }

        @Override
        public int getDeclarationOrder() {
            return 0;
        }

        @Override
        public boolean isBeforeAdvice() {
            return false;
        }

        @Override
        public boolean isAfterAdvice() {
            return false;
        }
    }
}
