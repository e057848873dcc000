package io.onefold.jackson2;

import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The place in a value where reading it failed. It has only names of classes' properties; other names are content. */
final class Jackson2FailurePath {

    private Jackson2FailurePath() {}

    /** Such as {@code " (at items[].price)"}; empty if it is the value itself. */
    static String of(IOException failure, DeserializationConfig config) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : failure instanceof JsonMappingException mapping
                ? mapping.getPath()
                : List.<JsonMappingException.Reference>of()) {
            String name = step.getFieldName();
            boolean named = name != null && isProperty(step.getFrom(), name, config);
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
        return config.introspect(type).findProperties().stream()
                .anyMatch(property -> property.getName().equals(name));
    }
}
