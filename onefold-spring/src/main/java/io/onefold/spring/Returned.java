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
 * What a method returns, and what of it is kept.
 *
 * @param carrier what brings it, in its own time perhaps
 * @param wrapping what it is wrapped in
 * @param type of what is kept
 */
record Returned(Carrier carrier, Wrapping wrapping, Type type) {
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

    /** What a handler is given to say its answer to. */
    private static final Set<String> RESPONSES = Set.of(
            "jakarta.servlet.ServletResponse",
            "org.springframework.http.server.reactive.ServerHttpResponse",
            "org.springframework.ui.Model",
            "org.springframework.ui.ModelMap");

    private static final String LATER =
            ", which runs only after it was returned, so that it would be recorded before it is done; return a"
                    + " CompletableFuture, a Mono or a Flux, and declare it";

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
        boolean suspends = Suspending.is(method) && Suspending.SUPPORTED;
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

    /** Brought in the same way, but with nothing in it that is kept. */
    Returned unkept() {
        return new Returned(carrier, Wrapping.NONE, Void.class);
    }

    private static Type boxed(ResolvableType kept) {
        Class<?> raw = kept.resolve(Object.class);
        return raw.isPrimitive() ? ClassUtils.resolvePrimitiveIfNecessary(raw) : kept.getType();
    }

    private static ResolvableType generic(ResolvableType outer) {
        ResolvableType inner = outer.getGeneric(0);
        return inner.resolve() == null ? ResolvableType.forClass(Object.class) : inner;
    }

    private static Carrier carrier(ResolvableType returned) {
        Class<?> raw = returned.resolve(Object.class);
        if (raw == CompletionStage.class || raw == CompletableFuture.class) {
            return Carrier.FUTURE;
        }
        return switch (raw.getName()) {
            case "reactor.core.publisher.Mono" -> Carrier.MONO;
            case "reactor.core.publisher.Flux" -> Carrier.FLUX;
            default ->
                Carrier.NONE; // what is made of them, a ConnectableFlux or a future of one's own, could not be given
            // back
        };
    }

    private static Wrapping wrapping(ResolvableType inner) {
        Class<?> raw = inner.resolve(Object.class);
        if (raw == Optional.class) {
            return Wrapping.OPTIONAL;
        }
        return raw.getName().equals("org.springframework.http.ResponseEntity") ? Wrapping.ENTITY : Wrapping.NONE;
    }

    /** Why it would be recorded before it is done, whether or not it is kept; null if it would not. */
    static @Nullable String early(Method method, Class<?> type) {
        ResolvableType returned = Suspending.is(method)
                ? Suspending.returned(method, type)
                : ResolvableType.forMethodReturnType(method, type);
        return isLater(returned, false) ? "returns a " + spelled(returned) + LATER : null;
    }

    /** The same, when it turns out what was returned. */
    @Nullable
    String early(@Nullable Object value) {
        return carrier == Carrier.NONE && value != null && isReactive(value.getClass())
                ? "has returned a " + value.getClass().getSimpleName() + LATER
                : null;
    }

    /** Whether it is subscribed to by whoever gets it, or holds something that is. */
    private static boolean isLater(ResolvableType type, boolean inside) {
        boolean brings = carrier(type) != Carrier.NONE;
        if ((!brings || inside) && isReactive(type.resolve(Object.class))) {
            return true;
        }
        return (brings || wrapping(type) != Wrapping.NONE) && isLater(generic(type), true);
    }

    /** Whatever Spring can subscribe to, of whichever library. */
    private static boolean isReactive(Class<?> raw) {
        return Flow.Publisher.class.isAssignableFrom(raw)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(raw) != null;
    }

    private static String spelled(ResolvableType returned) {
        return returned.toString().replaceAll("[a-z_0-9]+\\.", "");
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
        // what is kept of a Flux is a list of what is in it, bare
        boolean wrapped = carrier(returned) == Carrier.FLUX && wrapping(generic(returned)) != Wrapping.NONE;
        return wrapped || isStream(returned, false)
                ? "returns a " + spelled(returned)
                        + ", which cannot be kept and told again; a value, an Optional, a ResponseEntity, a CompletableFuture, a"
                        + " Mono and a Flux can"
                : null;
    }

    /**
     * Whether it is something that can be read only once, or holds it where the value is.
     *
     * @param inside of something that brings or wraps the value: what is brought later still is not waited for
     */
    private static boolean isStream(ResolvableType type, boolean inside) {
        boolean brings = carrier(type) != Carrier.NONE;
        if ((!brings || inside) && Supertypes.match(type.resolve(Object.class), STREAMS::contains)) {
            return true;
        }
        return (brings || wrapping(type) != Wrapping.NONE) && isStream(generic(type), true);
    }

    /** Why not all that the handler answers is in what it returns. */
    private static @Nullable String unkept(Method method, Class<?> raw) {
        if (raw == Object.class || raw.getName().equals("org.springframework.http.HttpEntity")) {
            return "is declared to return " + raw.getSimpleName()
                    + ", of which it is not known how to tell it again; declare what it returns";
        }
        for (Class<?> argument : method.getParameterTypes()) {
            if (Supertypes.match(argument, RESPONSES::contains)) {
                return "has the response, or its model, for an argument: what is said to it cannot be told again; return a"
                        + " ResponseEntity";
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
