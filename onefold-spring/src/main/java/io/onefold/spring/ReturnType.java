package io.onefold.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The return type of a method, and the part of it that is kept.
 *
 * @param carrier the type that brings the value, possibly later
 * @param wrapping the type that wraps the value
 * @param type the type of the kept value
 */
record ReturnType(AsyncWrapper carrier, EntityWrapper wrapping, Type type) {
    private static final Set<String> STREAMS = Set.of(
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
            "org.springframework.web.servlet.ModelAndView",
            "org.springframework.web.servlet.View",
            "org.springframework.web.reactive.result.view.Rendering",
            "org.springframework.web.reactive.result.view.View",
            "org.springframework.ui.Model",
            "org.springframework.ui.ModelMap",
            "org.springframework.core.io.InputStreamSource",
            "java.util.concurrent.Callable",
            "java.util.concurrent.Future",
            "java.util.concurrent.CompletionStage",
            "java.util.stream.BaseStream",
            "java.io.InputStream",
            "kotlinx.coroutines.flow.Flow",
            "org.reactivestreams.Publisher");

    /** The argument types through which a handler writes its response. */
    private static final Set<String> RESPONSES = Set.of(
            "jakarta.servlet.ServletResponse",
            "org.springframework.http.server.reactive.ServerHttpResponse",
            "org.springframework.ui.Model",
            "org.springframework.ui.ModelMap");

    private static final String LATER =
            ", which runs only after it was returned, so that it would be recorded before it is done; return a"
                    + " CompletableFuture, a Mono or a Flux, and declare it";

    enum AsyncWrapper {
        NONE,
        FUTURE,
        MONO,
        FLUX
    }

    enum EntityWrapper {
        NONE,
        OPTIONAL,
        ENTITY
    }

    static ReturnType of(Method method, Class<?> type) {
        ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
        // Spring's proxies turn a suspending function into a Mono, and await it
        boolean suspends = SuspendingFunctions.is(method) && SuspendingFunctions.SUPPORTED;
        AsyncWrapper carrier = suspends ? AsyncWrapper.MONO : carrier(returned);
        ResolvableType inner = suspends
                ? SuspendingFunctions.returned(method, type)
                : carrier == AsyncWrapper.NONE ? returned : generic(returned);
        EntityWrapper wrapping = wrapping(inner);
        ResolvableType kept = wrapping == EntityWrapper.NONE ? inner : generic(inner);
        Class<?> raw = kept.resolve(Object.class);
        if (raw == void.class || raw == Void.class || raw.getName().equals("kotlin.Unit")) {
            kept = ResolvableType.forClass(Void.class);
        }
        if (carrier == AsyncWrapper.FLUX) {
            kept = ResolvableType.forClassWithGenerics(List.class, kept);
        }
        return new ReturnType(
                carrier,
                wrapping,
                wrapping == EntityWrapper.ENTITY
                        ? ResolvableType.forClassWithGenerics(StoredResponseEntity.class, kept)
                                .getType()
                        : boxed(kept));
    }

    /** Returns the same type without a kept value. */
    ReturnType unkept() {
        return new ReturnType(carrier, EntityWrapper.NONE, Void.class);
    }

    private static Type boxed(ResolvableType kept) {
        Class<?> raw = kept.resolve(Object.class);
        return raw.isPrimitive() ? ClassUtils.resolvePrimitiveIfNecessary(raw) : kept.getType();
    }

    private static ResolvableType generic(ResolvableType outer) {
        ResolvableType inner = outer.getGeneric(0);
        return inner.resolve() == null ? ResolvableType.forClass(Object.class) : inner;
    }

    private static AsyncWrapper carrier(ResolvableType returned) {
        Class<?> raw = returned.resolve(Object.class);
        if (raw == CompletionStage.class || raw == CompletableFuture.class) {
            return AsyncWrapper.FUTURE;
        }
        return switch (raw.getName()) {
            case "reactor.core.publisher.Mono" -> AsyncWrapper.MONO;
            case "reactor.core.publisher.Flux" -> AsyncWrapper.FLUX;
            default ->
                AsyncWrapper.NONE; // a subtype, such as a ConnectableFlux or the application's own future, could not be
            // returned
        };
    }

    private static EntityWrapper wrapping(ResolvableType inner) {
        Class<?> raw = inner.resolve(Object.class);
        if (raw == Optional.class) {
            return EntityWrapper.OPTIONAL;
        }
        return raw.getName().equals("org.springframework.http.ResponseEntity")
                ? EntityWrapper.ENTITY
                : EntityWrapper.NONE;
    }

    /** The reason why the result would be recorded before its work is done, kept or not; null if it would not. */
    static @Nullable String early(Method method, Class<?> type) {
        ResolvableType returned = SuspendingFunctions.is(method)
                ? SuspendingFunctions.returned(method, type)
                : ResolvableType.forMethodReturnType(method, type);
        return isLater(returned, false) ? "returns a " + spelled(returned) + LATER : null;
    }

    /** The same check for an actual value. */
    @Nullable
    String early(@Nullable Object value) {
        return carrier == AsyncWrapper.NONE && value != null && isReactive(value.getClass())
                ? "has returned a " + value.getClass().getSimpleName() + LATER
                : null;
    }

    /** Returns true if the receiver of the value subscribes to it, or to something that it holds. */
    private static boolean isLater(ResolvableType type, boolean inside) {
        boolean brings = carrier(type) != AsyncWrapper.NONE;
        if ((!brings || inside) && isReactive(type.resolve(Object.class))) {
            return true;
        }
        return (brings || wrapping(type) != EntityWrapper.NONE) && isLater(generic(type), true);
    }

    /** Returns true for every type of any library that Spring can subscribe to. */
    private static boolean isReactive(Class<?> raw) {
        return Flow.Publisher.class.isAssignableFrom(raw)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(raw) != null;
    }

    private static String spelled(ResolvableType returned) {
        return returned.toString().replaceAll("[a-z_0-9]+\\.", "");
    }

    /** The reason why the result cannot be kept; null if it can. */
    static @Nullable String trouble(Method method, Class<?> type, boolean handler) {
        boolean suspends = SuspendingFunctions.is(method);
        if (suspends && !SuspendingFunctions.SUPPORTED) {
            return "suspends, which needs kotlinx-coroutines-reactor on the class path; without it, call runSuspending or"
                    + " attemptSuspending of onefold-kotlin in a method that is not annotated";
        }
        ResolvableType returned = suspends
                ? SuspendingFunctions.returned(method, type)
                : ResolvableType.forMethodReturnType(method, type);
        Class<?> raw = returned.resolve(Object.class);
        if (suspends && carrier(returned) != AsyncWrapper.NONE) {
            return "suspends and returns a " + raw.getSimpleName() + "; return what is in it";
        }
        if (handler) {
            String alone = unkept(method, raw);
            if (alone != null) {
                return alone;
            }
        }
        // a Flux is kept as a plain list of its elements
        boolean wrapped = carrier(returned) == AsyncWrapper.FLUX && wrapping(generic(returned)) != EntityWrapper.NONE;
        return wrapped || isStream(returned, false)
                ? "returns a " + spelled(returned)
                        + ", which cannot be kept and told again; a value, an Optional, a ResponseEntity, a CompletableFuture, a"
                        + " Mono and a Flux can"
                : null;
    }

    /**
     * Returns true if the type can be read only once, or holds such a type as its value.
     *
     * @param inside true inside of a type that brings or wraps the value: a value that comes even later is not awaited
     */
    private static boolean isStream(ResolvableType type, boolean inside) {
        boolean brings = carrier(type) != AsyncWrapper.NONE;
        if ((!brings || inside) && SupertypeNames.match(type.resolve(Object.class), STREAMS::contains)) {
            return true;
        }
        return (brings || wrapping(type) != EntityWrapper.NONE) && isStream(generic(type), true);
    }

    /** The reason why the returned value is not the handler's whole response. */
    private static @Nullable String unkept(Method method, Class<?> raw) {
        if (raw == Object.class || raw.getName().equals("org.springframework.http.HttpEntity")) {
            return "is declared to return " + raw.getSimpleName()
                    + ", of which it is not known how to tell it again; declare what it returns";
        }
        for (Class<?> argument : method.getParameterTypes()) {
            if (SupertypeNames.match(argument, RESPONSES::contains)) {
                return "has the response, or its model, for an argument: what is said to it cannot be told again; return a"
                        + " ResponseEntity";
            }
        }
        return null;
    }

    /** Returns the part of the result that is kept. */
    @Nullable
    Object stored(@Nullable Object returned) {
        if (wrapping == EntityWrapper.OPTIONAL) {
            return returned == null ? null : ((Optional<?>) returned).orElse(null);
        }
        return wrapping == EntityWrapper.ENTITY && returned != null ? ResponseEntities.stored(returned) : returned;
    }

    /** Returns the method's result for a kept value. */
    @Nullable
    Object returned(@Nullable Object stored) {
        if (wrapping == EntityWrapper.OPTIONAL) {
            return Optional.ofNullable(stored);
        }
        return stored instanceof StoredResponseEntity<?> entity ? ResponseEntities.returned(entity) : stored;
    }
}
