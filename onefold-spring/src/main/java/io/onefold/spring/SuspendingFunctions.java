package io.onefold.spring;

import java.lang.reflect.Method;
import java.lang.reflect.WildcardType;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Suspending functions of Kotlin. Their last argument is the continuation of their caller, and declares what they return. */
final class SuspendingFunctions {
    /** True if Spring's proxies can await the result of such a function. Otherwise they take its suspension for its result. */
    static final boolean SUPPORTED =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", SuspendingFunctions.class.getClassLoader());

    private SuspendingFunctions() {}

    static boolean is(Method method) {
        return KotlinDetector.isSuspendingFunction(method);
    }

    static ResolvableType returned(Method method, Class<?> type) {
        ResolvableType rest = ResolvableType.forMethodParameter(method, method.getParameterCount() - 1, type);
        ResolvableType result = rest.getGeneric(0);
        // declared as "of this type or above", which is no type to read a value as
        return result.getType() instanceof WildcardType wildcard && wildcard.getLowerBounds().length > 0
                ? ResolvableType.forType(wildcard.getLowerBounds()[0], rest)
                : result;
    }
}
