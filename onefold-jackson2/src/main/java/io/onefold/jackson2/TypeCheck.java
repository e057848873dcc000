package io.onefold.jackson2;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Walks a declared type and refuses where stored bytes would choose the class, or where no class is known. */
final class TypeCheck {

    private static final Set<JsonTypeInfo.Id> CLOSED = EnumSet.of(
            JsonTypeInfo.Id.NONE, JsonTypeInfo.Id.NAME, JsonTypeInfo.Id.SIMPLE_NAME, JsonTypeInfo.Id.DEDUCTION);

    private final DeserializationConfig config;
    private final Set<JavaType> seen = new HashSet<>();

    TypeCheck(DeserializationConfig config) {
        this.config = config;
    }

    void check(@Nullable JavaType type, String path) {
        if (type == null || !seen.add(type)) {
            return;
        }
        check(type.getKeyType(), path);
        check(type.getContentType(), path);
        Class<?> raw = type.getRawClass();
        if (raw.isPrimitive() || raw.isArray() || raw.isEnum() || raw.getName().startsWith("java.")) {
            return;
        }
        AnnotatedClass annotations = config.introspectClassAnnotations(type).getClassInfo();
        boolean named = isPolymorphic(annotations, type, path);
        if (raw.isSealed()) {
            for (Class<?> permitted : raw.getPermittedSubclasses()) {
                check(config.constructType(permitted), path);
            }
        }
        if (type.isAbstract() && !named) {
            throw new IllegalArgumentException(
                    "Cannot carry " + raw.getName() + at(path) + ": it is abstract and has no @JsonTypeInfo");
        }
        for (BeanPropertyDefinition property : config.introspect(type).findProperties()) {
            String inside = path.isEmpty() ? property.getName() : path + "." + property.getName();
            if (property.getPrimaryMember() != null) {
                isPolymorphic(property.getPrimaryMember(), property.getPrimaryType(), inside);
            }
            check(property.getPrimaryType(), inside);
        }
    }

    private boolean isPolymorphic(Annotated annotated, JavaType type, String path) {
        JsonTypeInfo.Value info = config.getAnnotationIntrospector().findPolymorphicTypeInfo(config, annotated);
        if (info != null && !CLOSED.contains(info.getIdType())) {
            throw new IllegalArgumentException(
                    "Cannot carry " + type.getRawClass().getName() + at(path) + ": @JsonTypeInfo(use = "
                            + info.getIdType() + ") lets stored bytes name a class; use NAME");
        }
        return info != null;
    }

    private static String at(String path) {
        return path.isEmpty() ? "" : " (at " + path + ")";
    }
}
