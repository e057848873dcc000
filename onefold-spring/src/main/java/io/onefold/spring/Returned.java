package io.onefold.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * What a method returns, and what of it is kept.
 *
 * @param carrier what brings it, in its own time perhaps
 * @param wrapping what it is wrapped in
 * @param type of what is kept
 */
record Returned(Carrier carrier, Wrapping wrapping, Type type) {
    /** Of a method that nothing is kept of. */
    static final Returned NOTHING = new Returned(Carrier.NONE, Wrapping.NONE, Void.class);

    private static final Set<String> STREAMS = Set.of(
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.SseEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
            "org.springframework.web.servlet.ModelAndView",
            "org.springframework.ui.Model",
            "org.springframework.core.io.Resource",
            "java.util.concurrent.Callable",
            "kotlinx.coroutines.flow.Flow",
            "java.util.stream.Stream");

    private static final Set<String> RESPONSES = Set.of(
            "jakarta.servlet.ServletResponse",
            "jakarta.servlet.http.HttpServletResponse",
            "org.springframework.http.server.reactive.ServerHttpResponse");

    enum Carrier {
        NONE,
        FUTURE,
        MONO,
        FLUX
    }

    enum Wrapping {
        NONE,
        OPTIONAL,
        ENTITY
    }

    static Returned of(Method method, Class<?> type) {
        ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
        // Spring's proxies make a Mono of what suspends, and await it
        boolean suspends = Suspending.is(method);
        Carrier carrier = suspends ? Carrier.MONO : carrier(returned);
        ResolvableType inner =
                suspends ? Suspending.returned(method, type) : carrier == Carrier.NONE ? returned : generic(returned);
        Wrapping wrapping = wrapping(inner);
        ResolvableType kept = wrapping == Wrapping.NONE ? inner : generic(inner);
        Class<?> raw = kept.resolve(Object.class);
        if (raw == void.class || raw == Void.class || raw.getName().equals("kotlin.Unit")) {
            kept = ResolvableType.forClass(Void.class);
        }
        if (carrier == Carrier.FLUX) {
            kept = ResolvableType.forClassWithGenerics(List.class, kept);
        }
        return new Returned(
                carrier,
                wrapping,
                wrapping == Wrapping.ENTITY
                        ? ResolvableType.forClassWithGenerics(StoredEntity.class, kept)
                                .getType()
                        : boxed(kept));
    }

    private static Type boxed(ResolvableType kept) {
        Class<?> raw = kept.resolve(Object.class);
        return raw.isPrimitive()
                ? org.springframework.util.ClassUtils.resolvePrimitiveIfNecessary(raw)
                : kept.getType();
    }

    private static ResolvableType generic(ResolvableType outer) {
        ResolvableType inner = outer.getGeneric(0);
        return inner.resolve() == null ? ResolvableType.forClass(Object.class) : inner;
    }

    private static Carrier carrier(ResolvableType returned) {
        Class<?> raw = returned.resolve(Object.class);
        if (CompletionStage.class.isAssignableFrom(raw)) {
            return Carrier.FUTURE;
        }
        return switch (raw.getName()) {
            case "reactor.core.publisher.Mono" -> Carrier.MONO;
            case "reactor.core.publisher.Flux" -> Carrier.FLUX;
            default -> Carrier.NONE;
        };
    }

    private static Wrapping wrapping(ResolvableType inner) {
        Class<?> raw = inner.resolve(Object.class);
        if (raw == Optional.class) {
            return Wrapping.OPTIONAL;
        }
        return raw.getName().equals("org.springframework.http.ResponseEntity") ? Wrapping.ENTITY : Wrapping.NONE;
    }

    /** Why it cannot be kept; null if it can. */
    static @Nullable String trouble(Method method, Class<?> type, boolean handler) {
        boolean suspends = Suspending.is(method);
        if (suspends && !Suspending.SUPPORTED) {
            return "suspends, which needs kotlinx-coroutines-reactor on the class path; without it, call runSuspending or"
                    + " attemptSuspending of onefold-kotlin in a method that is not annotated";
        }
        ResolvableType returned =
                suspends ? Suspending.returned(method, type) : ResolvableType.forMethodReturnType(method, type);
        Class<?> raw = returned.resolve(Object.class);
        if (suspends && carrier(returned) != Carrier.NONE) {
            return "suspends and returns a " + raw.getSimpleName() + "; return what is in it";
        }
        if (handler) {
            String alone = unkept(method, raw);
            if (alone != null) {
                return alone;
            }
        }
        boolean future = Future.class.isAssignableFrom(raw) && !CompletionStage.class.isAssignableFrom(raw);
        Class<?> inside = generic(returned).resolve(Object.class);
        boolean wraps = carrier(returned) != Carrier.NONE || wrapping(returned) != Wrapping.NONE;
        boolean streams = STREAMS.contains(raw.getName()) || (wraps && STREAMS.contains(inside.getName()));
        return streams || future
                ? "returns a " + raw.getSimpleName()
                        + ", which cannot be kept and told again; a value, an Optional, a ResponseEntity, a CompletableFuture, a"
                        + " Mono and a Flux can"
                : null;
    }

    /** Why not all that the handler answers is in what it returns. */
    private static @Nullable String unkept(Method method, Class<?> raw) {
        if (raw == Object.class || raw.getName().equals("org.springframework.http.HttpEntity")) {
            return "is declared to return " + raw.getSimpleName()
                    + ", of which it is not known how to tell it again; declare what it returns";
        }
        for (Class<?> argument : method.getParameterTypes()) {
            if (RESPONSES.contains(argument.getName())) {
                return "has the response for an argument: what is said to it cannot be told again; return a ResponseEntity";
            }
        }
        return null;
    }

    /** What is kept of what was returned. */
    @Nullable
    Object stored(@Nullable Object returned) {
        if (wrapping == Wrapping.OPTIONAL) {
            return returned == null ? null : ((Optional<?>) returned).orElse(null);
        }
        return wrapping == Wrapping.ENTITY && returned != null ? Entities.stored(returned) : returned;
    }

    /** What is returned of what was kept. */
    @Nullable
    Object returned(@Nullable Object stored) {
        if (wrapping == Wrapping.OPTIONAL) {
            return Optional.ofNullable(stored);
        }
        return stored instanceof StoredEntity<?> entity ? Entities.returned(entity) : stored;
    }
}
