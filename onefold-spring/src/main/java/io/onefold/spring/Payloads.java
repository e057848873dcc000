package io.onefold.spring;

import io.onefold.payload.Fingerprint;
import java.io.Closeable;
import java.io.InputStream;
import java.io.Reader;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.security.Principal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

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

    private final List<Carrier> carriers = new ArrayList<>();
    private @Nullable String stream;

    private Payloads() {}

    static Payloads of(Method method) {
        Payloads payloads = new Payloads();
        Parameter[] parameters = method.getParameters();
        Map<Integer, String> names = Expressions.names(method);
        for (int i = 0; i < parameters.length; i++) {
            if (isStream(parameters[i].getType())) {
                payloads.stream = names.getOrDefault(i, "p" + i);
            }
            if (carries(parameters[i])) {
                payloads.carriers.add(new Carrier(names.getOrDefault(i, "p" + i), i));
            }
        }
        return payloads;
    }

    private static boolean carries(Parameter parameter) {
        for (Annotation annotation : parameter.getAnnotations()) {
            if (CONTEXT.contains(annotation.annotationType().getName())) {
                return false;
            }
        }
        Class<?> type = parameter.getType();
        String name = type.getName();
        return ENTITIES.contains(name)
                || Unwrapped.isMessage(name)
                || (CONTEXT_TYPES.stream().noneMatch(name::startsWith)
                        && !isStream(type)
                        && !Principal.class.isAssignableFrom(type)
                        && !Closeable.class.isAssignableFrom(type)
                        && type != Locale.class
                        && !TimeZone.class.isAssignableFrom(type));
    }

    /** Whether it carries something that cannot be read for a fingerprint and by the method, too. */
    private static boolean isStream(Class<?> type) {
        Class<?> element = type.isArray() ? type.getComponentType() : type;
        return InputStream.class.isAssignableFrom(type)
                || Reader.class.isAssignableFrom(type)
                || STREAMS.stream().anyMatch(element.getName()::startsWith);
    }

    /** An argument that carries something which no fingerprint can be taken of; null if there is none. */
    @Nullable
    String stream() {
        return stream;
    }

    Fingerprint print(Printer printer, String method, @Nullable Object[] arguments) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        for (Carrier carrier : carriers) {
            all.put(carrier.name, Unwrapped.of(arguments[carrier.at]));
        }
        return print(printer, method, all);
    }

    static Fingerprint print(Printer printer, String method, @Nullable Object value) {
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

    private record Carrier(String name, int at) {}
}
