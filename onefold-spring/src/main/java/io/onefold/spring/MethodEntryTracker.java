package io.onefold.spring;

import io.onefold.WorkNotStartedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Records that a call has passed all advice and reached its method. If advice rejects the call, nothing was done. To keep this true, a call
 * whose advice has given up waiting is not let in later.
 */
final class MethodEntryTracker {
    /** The key of the whole call's entrance in a Reactor context. */
    static final String CONTEXT = "io.onefold.entrance";

    private static final String ATTRIBUTE = MethodEntryTracker.class.getName();

    /**
     * The attribute of the whole call's entrance. {@link #ATTRIBUTE} is the entrance of one pass, since advice may let a call pass several
     * times.
     */
    private static final String AROUND = ATTRIBUTE + ".around";

    /** The entrance of a method that is asked for a publisher, which is subscribed to later. */
    private static final ThreadLocal<@Nullable MethodEntryTracker> HERE = new ThreadLocal<>();

    private static final boolean JOINABLE = ClassUtils.isPresent(
                    "org.springframework.transaction.PlatformTransactionManager",
                    MethodEntryTracker.class.getClassLoader())
            && ClassUtils.isPresent(
                    "org.springframework.jdbc.datasource.DataSourceUtils", MethodEntryTracker.class.getClassLoader());

    private static final Advisor INNERMOST =
            new DefaultPointcutAdvisor(IdempotentAdvisor.POINTCUT, (MethodInterceptor) invocation -> {
                ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
                if (JOINABLE) {
                    MethodTransaction.check(call); // this check comes before the call counts as begun
                }
                MethodEntryTracker entrance =
                        call.getUserAttribute(ATTRIBUTE) instanceof MethodEntryTracker own ? own : HERE.get();
                if (entrance != null) {
                    entrance.enter();
                }
                return JOINABLE ? MethodTransaction.proceed(call) : call.proceed();
            });

    private final Runnable entered;
    private final AtomicReference<EntryState> state = new AtomicReference<>(EntryState.OPEN);

    private enum EntryState {
        OPEN,
        ENTERED,
        CLOSED
    }

    MethodEntryTracker() {
        this(() -> {});
    }

    /** @param entered runs when the call reaches its method, or might have reached it */
    MethodEntryTracker(Runnable entered) {
        this.entered = entered;
    }

    /**
     * Lets the call through. Each entrance and each invocation allows this only once.
     *
     * @throws NotEnteredException if advice rejected the call: it has not reached its method, and never will
     */
    @Nullable
    Object proceed(MethodInvocation invocation) throws Exception {
        if (invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(ATTRIBUTE, this);
        }
        return pass(invocation);
    }

    /** Lets a call through with all advice around it. Passes inside of it {@link #around find} this entrance. */
    @Nullable
    Object surround(MethodInvocation invocation) throws Exception {
        if (invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(AROUND, this);
        }
        return pass(invocation);
    }

    /** Returns the entrance of the whole call, or null if no outermost advice has seen the call. */
    static @Nullable MethodEntryTracker around(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied
                        && proxied.getUserAttribute(AROUND) instanceof MethodEntryTracker whole
                ? whole
                : null;
    }

    /**
     * Lets a call through to a method that returns a Mono or a Flux. This happens once for each subscription, possibly on several threads
     * at once. Copies of an invocation share their attributes, so the entrance is bound to the thread. Later work of advice, inside of the
     * publisher, counts as the method's.
     */
    static @Nullable Object ask(MethodInvocation invocation, Runnable entered) throws Exception {
        MethodEntryTracker outer = HERE.get();
        MethodEntryTracker own = new MethodEntryTracker(entered);
        HERE.set(own);
        try {
            return own.pass(IdempotentInterceptor.copy(invocation));
        } finally {
            if (outer == null) {
                HERE.remove();
            } else {
                HERE.set(outer);
            }
        }
    }

    private @Nullable Object pass(MethodInvocation invocation) throws Exception {
        try {
            Object returned = IdempotentInterceptor.proceed(invocation);
            if (!(returned instanceof CompletionStage<?>) || !isWatched(invocation)) {
                enter(); // otherwise advice has responded in place of the method, or will let the call in later
            }
            return returned;
        } catch (Exception | Error e) {
            if (!isWatched(invocation)) {
                enter();
            }
            if (close()) {
                throw new NotEnteredException(e);
            }
            throw e;
        }
    }

    /**
     * Returns the end of the call that has returned this stage. Advice may reject a call with a future that fails, as bulkheads do.
     *
     * @return fails with a {@link NotEnteredException} if the call has not reached its method by then, and never will
     */
    CompletableFuture<@Nullable Object> ended(CompletionStage<?> returned) {
        CompletableFuture<@Nullable Object> ended = new CompletableFuture<>();
        var unused = returned.whenComplete((value, thrown) -> {
            if (thrown == null) {
                ended.complete(value);
            } else {
                ended.completeExceptionally(
                        close() ? new NotEnteredException(InvocationResult.unwrapped(thrown)) : thrown);
            }
        });
        return ended;
    }

    /** Closes the entrance for good, unless the call has reached its method. */
    boolean close() {
        return state.compareAndSet(EntryState.OPEN, EntryState.CLOSED);
    }

    /** @throws IllegalStateException if the call was given up */
    void enter() {
        if (state.compareAndSet(EntryState.OPEN, EntryState.ENTERED)) {
            entered.run();
        } else if (state.get() == EntryState.CLOSED) {
            throw new IllegalStateException("the call was given up before it had begun");
        }
    }

    private static boolean isWatched(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied
                && proxied.getProxy() instanceof Advised advised
                && advised.indexOf(INNERMOST) >= 0;
    }

    /** Advice has rejected the call. The cause is the exception of the advice. */
    static final class NotEnteredException extends WorkNotStartedException {
        private static final long serialVersionUID = 1;

        NotEnteredException(Throwable cause) {
            super("refused by advice", cause);
        }
    }

    /** Adds the advice that notices calls of annotated methods. If it cannot be added, all calls count as having reached their method. */
    static final class EntryInterceptor implements BeanPostProcessor {
        private final Advisor outermost;

        EntryInterceptor(IdempotentMethodRegistry methods) {
            this.outermost = HandlerCallInterceptor.advisor(methods);
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof Advised advised && !advised.isFrozen() && isIdempotent(advised)) {
                advised.addAdvisor(0, outermost);
                advised.addAdvisor(INNERMOST);
            }
            return bean;
        }

        private static boolean isIdempotent(Advised advised) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (advisor instanceof IdempotentAdvisor) {
                    return true;
                }
            }
            return false;
        }
    }
}
