package io.onefold.spring.message;

import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Holds the message that a container hands to its listener, for as long as that is at work: the listener's method may take the payload
 * alone. It stands first in the container's chain, so that a retry further in finds it too.
 *
 * @param type of the broker's messages; a batch of them is let through, as its listener cannot be safe to repeat
 */
record Current(Class<?> type) implements MethodInterceptor {
    private static final ThreadLocal<@Nullable Object> HELD = new ThreadLocal<>();

    /** One that is among the arguments, else the one that is held; null if there is neither. */
    static <M> @Nullable M find(Class<M> type, @Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (type.isInstance(argument)) {
                return type.cast(argument);
            }
        }
        Object held = HELD.get();
        return type.isInstance(held) ? type.cast(held) : null;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        for (Object argument : invocation.getArguments()) {
            if (type.isInstance(argument)) {
                return with(argument, invocation);
            }
        }
        return invocation.proceed();
    }

    private static @Nullable Object with(Object message, MethodInvocation invocation) throws Throwable {
        Object outer = HELD.get();
        HELD.set(message);
        try {
            return invocation.proceed();
        } finally {
            if (outer == null) {
                HELD.remove();
            } else {
                HELD.set(outer);
            }
        }
    }

    /** The chain with this at its head. */
    static Advice[] before(Advice @Nullable [] chain, Class<?> type) {
        int others = chain == null ? 0 : chain.length;
        Advice[] longer = new Advice[others + 1];
        longer[0] = new Current(type);
        if (chain != null) {
            System.arraycopy(chain, 0, longer, 1, others);
        }
        return longer;
    }
}
