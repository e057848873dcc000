package io.onefold.spring.message;

import io.onefold.spring.IdempotentMethodRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.messaging.handler.HandlerMethod;

/** The methods that a container calls with its messages. Its listener does not publish them. */
final class ListenerMethods {
    private ListenerMethods() {}

    /**
     * Returns true if one of the methods is annotated. A class that listens has one container for all of its methods.
     *
     * @param adapter Spring's adapter between the container and the methods
     * @param handler the adapter's field
     * @throws IllegalStateException if it cannot be known: messages would have no key, or plain listeners would be treated as idempotent
     */
    static boolean isIdempotent(Object adapter, String handler) {
        return of(adapter, handler).stream()
                .anyMatch(method -> IdempotentMethodRegistry.isAnnotated(
                        method.getMethod(), AopProxyUtils.ultimateTargetClass(method.getBean())));
    }

    private static List<HandlerMethod> of(Object adapter, String handler) {
        List<HandlerMethod> methods = new ArrayList<>();
        Object handling = ContainerFields.get(adapter, handler);
        if (handling == null) {
            return methods;
        }
        add(methods, ContainerFields.get(handling, "invokerHandlerMethod"));
        Object delegating = ContainerFields.get(handling, "delegatingHandler");
        if (delegating != null) {
            add(methods, ContainerFields.get(delegating, "defaultHandler"));
            if (ContainerFields.get(delegating, "handlers") instanceof Collection<?> several) {
                several.forEach(each -> add(methods, each));
            }
        }
        return methods;
    }

    private static void add(List<HandlerMethod> methods, @Nullable Object found) {
        if (found instanceof HandlerMethod method) {
            methods.add(method);
        }
    }
}
