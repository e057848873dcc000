package io.onefold.jackson;

import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.introspect.ClassIntrospector;

/** The place in a value where reading it failed. It has only names of classes' properties; other names are content. */
final class FailurePath {

    private FailurePath() {}

    /** Such as {@code " (at items[].price)"}; empty if it is the value itself. */
    static String of(JacksonException failure, DeserializationConfig config) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : failure.getPath()) {
            String name = step.getPropertyName();
            boolean named = name != null && isProperty(step.from(), name, config);
            boolean dot = path.length() > 0 && name != null;
            path.append(dot ? "." : "").append(name == null ? "[]" : named ? name : "*");
        }
        return path.isEmpty() ? "" : " (at " + path + ")";
    }

    private static boolean isProperty(Object from, String name, DeserializationConfig config) {
        Class<?> declared = from instanceof Class<?> type ? type : from.getClass();
        if (Map.class.isAssignableFrom(declared)) {
            return false;
        }
        JavaType type = config.constructType(declared);
        ClassIntrospector introspector = config.classIntrospectorInstance();
        return introspector
                .introspectForDeserialization(type, introspector.introspectClassAnnotations(type))
                .findProperties()
                .stream()
                .anyMatch(property -> property.getName().equals(name));
    }
}
