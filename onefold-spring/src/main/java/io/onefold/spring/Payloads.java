package io.onefold.spring;

import io.onefold.payload.Fingerprint;
import java.io.Closeable;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.security.Principal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * What the arguments of a call stand for. Those that carry something of the request count; those through which the framework hands
 * over its own things, or that differ from one delivery to the next, do not.
 */
final class Payloads {
    private static final Set<String> CONTEXT = Set.of(
            "org.springframework.web.bind.annotation.RequestHeader",
            "org.springframework.web.bind.annotation.CookieValue",
            "org.springframework.web.bind.annotation.RequestAttribute",
            "org.springframework.web.bind.annotation.SessionAttribute",
            "org.springframework.security.core.annotation.AuthenticationPrincipal",
            "org.springframework.security.core.annotation.CurrentSecurityContext",
            "org.springframework.messaging.handler.annotation.Header",
            "org.springframework.messaging.handler.annotation.Headers",
            "org.springframework.beans.factory.annotation.Value");
    private static final Set<String> ENTITIES =
            Set.of("org.springframework.http.HttpEntity", "org.springframework.http.RequestEntity");

    /** What the framework hands over of its own. */
    private static final List<String> CONTEXT_TYPES = List.of(
            "jakarta.servlet.",
            "org.springframework.ui.",
            "org.springframework.validation.",
            "org.springframework.http.HttpHeaders",
            "org.springframework.http.HttpMethod",
            "org.springframework.http.server.",
            "org.springframework.web.context.request.",
            "org.springframework.web.bind.support.",
            "org.springframework.web.method.",
            "org.springframework.web.server.",
            "org.springframework.web.servlet.",
            "org.springframework.web.util.",
            "org.springframework.security.",
            "org.springframework.messaging.",
            "org.springframework.kafka.",
            "org.springframework.amqp.",
            "org.apache.kafka.",
            "com.rabbitmq.",
            "java.time.ZoneId",
            "kotlin.coroutines.");

    private static final List<String> STREAMS = List.of(
            "jakarta.servlet.http.Part",
            "org.springframework.web.multipart.",
            "org.springframework.http.codec.multipart.",
            "org.springframework.core.io.",
            "org.reactivestreams.",
            "reactor.core.publisher.");

    /** Where the arguments are that carry something. */
    private final List<Integer> carriers = new ArrayList<>();

    private @Nullable String stream;

    private Payloads() {}

    static Payloads of(Method method) {
        Payloads payloads = new Payloads();
        // with the annotations that the same parameter has in an interface
        MethodParameter[] parameters = new AnnotatedMethod(method).getMethodParameters();
        Map<Integer, String> names = Expressions.names(method);
        for (int i = 0; i < parameters.length; i++) {
            boolean streams = isStream(ResolvableType.forMethodParameter(method, i));
            if (streams) {
                payloads.stream = names.getOrDefault(i, "p" + i);
            } else if (carries(parameters[i])) {
                payloads.carriers.add(i);
            }
        }
        return payloads;
    }

    private static boolean carries(MethodParameter parameter) {
        MergedAnnotations annotations = MergedAnnotations.from(parameter.getParameterAnnotations());
        if (CONTEXT.stream().anyMatch(annotations::isPresent)) {
            return false;
        }
        Class<?> type = parameter.getParameterType();
        String name = type.getName();
        return ENTITIES.contains(name)
                || Unwrapped.isMessage(name)
                || (CONTEXT_TYPES.stream().noneMatch(name::startsWith)
                        && !Principal.class.isAssignableFrom(type)
                        && !Closeable.class.isAssignableFrom(type)
                        && type != Locale.class
                        && !TimeZone.class.isAssignableFrom(type));
    }

    /** Whether it carries something that cannot be read for a fingerprint and by the method, too: itself, or in what it holds. */
    private static boolean isStream(ResolvableType type) {
        if (type.isArray()) {
            return isStream(type.getComponentType());
        }
        Class<?> raw = type.resolve(Object.class);
        if (InputStream.class.isAssignableFrom(raw)
                || Reader.class.isAssignableFrom(raw)
                || Supertypes.match(raw, name -> STREAMS.stream().anyMatch(name::startsWith))) {
            return true;
        }
        for (ResolvableType held : type.getGenerics()) {
            if (isStream(held)) {
                return true;
            }
        }
        return false;
    }

    /** An argument that carries something which no fingerprint can be taken of; null if there is none. */
    @Nullable
    String stream() {
        return stream;
    }

    /** Arguments count by their order, for their names are the code's own. An only one is what was asked for, as it is. */
    Fingerprint print(Printer printer, IdempotentMethod method, @Nullable Object[] arguments) {
        if (carriers.size() == 1) {
            return print(printer, method, Unwrapped.of(arguments[carriers.get(0)]));
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        for (int at : carriers) {
            all.put("argument-" + (all.size() + 1), Unwrapped.of(arguments[at]));
        }
        return print(printer, method, all);
    }

    static Fingerprint print(Printer printer, IdempotentMethod method, @Nullable Object value) {
        try {
            return printer.print(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    method
                            + ": no fingerprint can be taken of its arguments; say with matching what must be equal under an"
                            + " equal key",
                    e);
        }
    }
}
