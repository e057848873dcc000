package io.onefold.spring;

import java.lang.reflect.Method;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.StringUtils;

/** Handlers of HTTP requests, as their mappings say. */
final class Handlers {
    private static final String MAPPING = "org.springframework.web.bind.annotation.RequestMapping";

    private Handlers() {}

    /** The method and the path, which callers know: moving the handler to another class changes neither. */
    static String name(Method method, Class<?> type) {
        MergedAnnotation<?> own =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(MAPPING);
        MergedAnnotation<?> outer =
                MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).get(MAPPING);
        String verb = first(own, "method", first(outer, "method", "ANY"));
        String path = joined(first(outer, "path", ""), first(own, "path", ""));
        // a pattern's regular expressions are no part of its name
        return verb + " "
                + path.replaceAll("\\{\\*?([A-Za-z0-9_-]+)(:[^/]*)?}", "{$1}").replaceAll("[^A-Za-z0-9._:/{} -]", "_");
    }

    private static String joined(String outer, String own) {
        String path =
                StringUtils.trimTrailingCharacter(outer, '/') + (own.isEmpty() || own.startsWith("/") ? "" : "/") + own;
        return path.startsWith("/") ? path : "/" + path;
    }

    private static String first(MergedAnnotation<?> mapping, String attribute, String otherwise) {
        if (!mapping.isPresent()) {
            return otherwise;
        }
        Object[] values = (Object[]) mapping.getValue(attribute).orElse(new Object[0]);
        return values.length == 0 ? otherwise : values[0].toString();
    }
}
