package io.onefold.spring;

import java.lang.reflect.Method;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.StringUtils;

/** Reads the mappings of HTTP handlers. */
final class HandlerMethods {
    private static final String MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

    private HandlerMethods() {}

    /** Returns the HTTP method and the path. Callers know both, and moving the handler to another class changes neither. */
    static String name(Method method, Class<?> type) {
        MergedAnnotations own = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotations outer = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
        String verb = verb(own, verb(outer, "ANY"));
        String path = joined(path(outer), path(own));
        // a pattern's regular expressions are no part of its name
        return verb + " "
                + path.replaceAll("\\{\\*?([A-Za-z0-9_-]+)(:[^/]*)?}", "{$1}").replaceAll("[^A-Za-z0-9._:/{} -]", "_");
    }

    private static String joined(String outer, String own) {
        String path =
                StringUtils.trimTrailingCharacter(outer, '/') + (own.isEmpty() || own.startsWith("/") ? "" : "/") + own;
        return path.startsWith("/") ? path : "/" + path;
    }

    private static String verb(MergedAnnotations on, String otherwise) {
        return first(on.get(MAPPING), "method", text(on.get(InvocationSource.EXCHANGE), "method", otherwise));
    }

    private static String path(MergedAnnotations on) {
        return first(on.get(MAPPING), "path", text(on.get(InvocationSource.EXCHANGE), "url", ""));
    }

    private static String text(MergedAnnotation<?> exchange, String attribute, String otherwise) {
        return exchange.getValue(attribute, String.class)
                .filter(text -> !text.isEmpty())
                .orElse(otherwise);
    }

    private static String first(MergedAnnotation<?> mapping, String attribute, String otherwise) {
        if (!mapping.isPresent()) {
            return otherwise;
        }
        Object[] values = (Object[]) mapping.getValue(attribute).orElse(new Object[0]);
        return values.length == 0 ? otherwise : values[0].toString();
    }
}
