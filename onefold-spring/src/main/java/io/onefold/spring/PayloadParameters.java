package io.onefold.spring;

import java.io.Closeable;
import java.security.Principal;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;
import org.springframework.beans.BeanUtils;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotations;

/** Tells which parameters carry a part of the request, and where their values come from. */
final class PayloadParameters {
    private static final String WEB = "org.springframework.web.bind.annotation.";
    private static final String BODY = WEB + "RequestBody";

    private static final Set<String> CONTEXT = Set.of(
            WEB + "RequestHeader",
            WEB + "CookieValue",
            WEB + "RequestAttribute",
            WEB + "SessionAttribute",
            "org.springframework.security.core.annotation.AuthenticationPrincipal",
            "org.springframework.security.core.annotation.CurrentSecurityContext",
            "org.springframework.messaging.handler.annotation.Header",
            "org.springframework.messaging.handler.annotation.Headers",
            "org.springframework.beans.factory.annotation.Value");
    private static final Set<String> OF_REQUEST = Set.of(
            BODY,
            WEB + "RequestParam",
            WEB + "PathVariable",
            WEB + "MatrixVariable",
            WEB + "ModelAttribute",
            WEB + "RequestPart");
    private static final Set<String> ENTITIES =
            Set.of("org.springframework.http.HttpEntity", "org.springframework.http.RequestEntity");

    /** The types of objects that the framework passes on its own behalf. */
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
            "kotlin.coroutines.");

    private static final List<String> STREAMS = List.of(
            "jakarta.servlet.http.Part",
            "org.springframework.web.multipart.",
            "org.springframework.http.codec.multipart.",
            "org.springframework.core.io.",
            "org.reactivestreams.",
            "reactor.core.publisher.");

    private PayloadParameters() {}

    /** @param called true if other beans call the method, so that every argument is theirs */
    static boolean carries(MethodParameter parameter, boolean called) {
        MergedAnnotations annotations = MergedAnnotations.from(parameter.getParameterAnnotations());
        if (CONTEXT.stream().anyMatch(annotations::isPresent)) {
            return false;
        }
        Class<?> type = parameter.getParameterType();
        String name = type.getName();
        boolean regional =
                ZoneId.class.isAssignableFrom(type) || type == Locale.class || TimeZone.class.isAssignableFrom(type);
        return ENTITIES.contains(name)
                || WrapperContents.isMessage(name)
                || (regional && called)
                || (CONTEXT_TYPES.stream().noneMatch(name::startsWith)
                        && !Principal.class.isAssignableFrom(type)
                        && !Closeable.class.isAssignableFrom(type)
                        && !regional);
    }

    /** Returns true if values of a type with this name, or of a subtype, can be read only once. */
    static boolean isStream(String type) {
        return STREAMS.stream().anyMatch(type::startsWith);
    }

    /** Returns true if the parameter is the body of an HTTP request. */
    static boolean isBody(MethodParameter parameter) {
        return MergedAnnotations.from(parameter.getParameterAnnotations()).isPresent(BODY)
                || ENTITIES.contains(parameter.getParameterType().getName());
    }

    /** Returns true if Spring makes the argument from the path, the query or the body of an HTTP request, and from nothing else. */
    static boolean isOfRequest(MethodParameter parameter) {
        MergedAnnotations annotations = MergedAnnotations.from(parameter.getParameterAnnotations());
        return isBody(parameter)
                || OF_REQUEST.stream().anyMatch(annotations::isPresent)
                || BeanUtils.isSimpleProperty(parameter.getParameterType());
    }
}
