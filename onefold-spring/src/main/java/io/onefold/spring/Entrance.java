package io.onefold.spring;

import io.onefold.NotBegunException;
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
 * Whether a call has come through all advice to its method. Where advice refuses it, nothing was done; and so that this stays true, the
 * call is not let in later by advice that has only given up waiting for it.
 */
final class Entrance {
    /** Where a Reactor context has that of the whole call. */
    static final String CONTEXT = "io.onefold.entrance";

    private static final String ATTRIBUTE = Entrance.class.getName();

    /** That of the whole call, while {@link #ATTRIBUTE} is that of one pass: advice may let a call pass several times. */
    private static final String AROUND = ATTRIBUTE + ".around";

    /** That of a method which is being asked for what is subscribed to later. */
    private static final ThreadLocal<@Nullable Entrance> HERE = new ThreadLocal<>();

    private static final boolean JOINABLE = ClassUtils.isPresent(
                    "org.springframework.transaction.PlatformTransactionManager", Entrance.class.getClassLoader())
            && ClassUtils.isPresent(
                    "org.springframework.jdbc.datasource.DataSourceUtils", Entrance.class.getClassLoader());

    private static final Advisor INNERMOST =
            new DefaultPointcutAdvisor(IdempotentAdvisor.POINTCUT, (MethodInterceptor) invocation -> {
                ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
                if (JOINABLE) {
                    MethodTransaction.check(call); // before it counts as begun
                }
                Entrance entrance = call.getUserAttribute(ATTRIBUTE) instanceof Entrance own ? own : HERE.get();
                if (entrance != null) {
                    entrance.enter();
                }
                return JOINABLE ? MethodTransaction.proceed(call) : call.proceed();
            });

    private final Runnable entered;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    private enum State {
        OPEN,
        ENTERED,
        CLOSED
    }

    Entrance() {
        this(() -> {});
    }

    /** @param entered is told when the call comes to its method, or might have */
    Entrance(Runnable entered) {
        this.entered = entered;
    }

    /**
     * Lets the call through; this can be asked only once, of an entrance and of an invocation.
     *
     * @throws RefusedException if advice refused the call: it has not come to its method, and never will
     */
    @Nullable
    Object proceed(MethodInvocation invocation) throws Exception {
        if (invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(ATTRIBUTE, this);
        }
        return pass(invocation);
    }

    /** The same for a call with all advice around it. Passes inside of it {@link #around find} it. */
    @Nullable
    Object surround(MethodInvocation invocation) throws Exception {
        if (invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(AROUND, this);
        }
        return pass(invocation);
    }

    /** That of the whole call; null if nobody has seen the call before all advice. */
    static @Nullable Entrance around(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied
                        && proxied.getUserAttribute(AROUND) instanceof Entrance whole
                ? whole
                : null;
    }

    /**
     * The same for a method that is asked for a Mono or a Flux, as often as that is subscribed to, by several threads at once perhaps:
     * copies of an invocation share their attributes, so it is the thread that knows the entrance. What advice does later, in what is
     * subscribed to, counts as the method's.
     */
    static @Nullable Object ask(MethodInvocation invocation, Runnable entered) throws Exception {
        Entrance outer = HERE.get();
        Entrance own = new Entrance(entered);
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
                enter(); // or else advice has answered in the method's place, or will let the call in later
            }
            return returned;
        } catch (Exception | Error e) {
            if (!isWatched(invocation)) {
                enter();
            }
            if (close()) {
                throw new RefusedException(e);
            }
            throw e;
        }
    }

    /**
     * What the call came to that has returned this: advice may refuse a call by a future that fails, as bulkheads do.
     *
     * @return fails with a {@link RefusedException} if the call has not come to its method by then, and never will
     */
    CompletableFuture<@Nullable Object> ended(CompletionStage<?> returned) {
        CompletableFuture<@Nullable Object> ended = new CompletableFuture<>();
        var unused = returned.whenComplete((value, thrown) -> {
            if (thrown == null) {
                ended.complete(value);
            } else {
                ended.completeExceptionally(close() ? new RefusedException(Told.unwrapped(thrown)) : thrown);
            }
        });
        return ended;
    }

    /** Closes it for good, unless the call has come to its method. */
    boolean close() {
        return state.compareAndSet(State.OPEN, State.CLOSED);
    }

    /** @throws IllegalStateException if the call was given up */
    void enter() {
        if (state.compareAndSet(State.OPEN, State.ENTERED)) {
            entered.run();
        } else if (state.get() == State.CLOSED) {
            throw new IllegalStateException("the call was given up before it had begun");
        }
    }

    private static boolean isWatched(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied
                && proxied.getProxy() instanceof Advised advised
                && advised.indexOf(INNERMOST) >= 0;
    }

    /** Its cause is what the advice threw. */
    static final class RefusedException extends NotBegunException {
        private static final long serialVersionUID = 1;

        RefusedException(Throwable cause) {
            super("refused by advice", cause);
        }
    }

    /** Sees to it that calls which come to annotated methods are noticed. Where that cannot be, all calls are taken to have come there. */
    static final class Watch implements BeanPostProcessor {
        private final Advisor outermost;

        Watch(IdempotentMethods methods) {
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
