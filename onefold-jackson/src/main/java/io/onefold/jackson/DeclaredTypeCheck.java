package io.onefold.jackson;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.TreeNode;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;

/**
 * Walks a declared type and rejects it if stored bytes would choose the class, or if no class is known. On the way it
 * collects the properties that the type shows to be lost.
 */
final class DeclaredTypeCheck {

    private static final Set<JsonTypeInfo.Id> CLOSED = EnumSet.of(
            JsonTypeInfo.Id.NONE, JsonTypeInfo.Id.NAME, JsonTypeInfo.Id.SIMPLE_NAME, JsonTypeInfo.Id.DEDUCTION);

    private final DeserializationConfig config;
    private final ClassIntrospector introspector;
    private final ClassIntrospector written;
    private final Set<JavaType> seen = new HashSet<>();
    private final List<String> losses = new ArrayList<>();

    DeclaredTypeCheck(SerializationConfig writing, DeserializationConfig config) {
        this.config = config;
        this.introspector = config.classIntrospectorInstance();
        this.written = writing.classIntrospectorInstance();
    }

    List<String> losses() {
        return losses;
    }

    void check(@Nullable JavaType type, String path) {
        if (type == null || !seen.add(type)) {
            return;
        }
        check(type.getKeyType(), path);
        check(type.getContentType(), path);
        Class<?> raw = type.getRawClass();
        if (raw == Object.class) {
            String what = path.isEmpty() ? "the result" : "\"" + path + "\"";
            losses.add(what + " is declared with Object, which is read back as text, number, boolean, list or map");
        }
        boolean plain = raw.isPrimitive()
                || raw.isArray()
                || raw.isEnum()
                || raw.getName().startsWith("java.");
        if (plain || TreeNode.class.isAssignableFrom(raw)) {
            return;
        }
        AnnotatedClass annotations = introspector.introspectClassAnnotations(type);
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
        BeanDescription read = introspector.introspectForDeserialization(type, annotations);
        unwritten(raw, read, writable(written.introspectForSerialization(type, annotations)), path);
        for (BeanPropertyDefinition property : read.findProperties()) {
            String inside = inside(path, property.getName());
            if (property.getPrimaryMember() != null) {
                isPolymorphic(property.getPrimaryMember(), property.getPrimaryType(), inside);
            }
            check(property.getPrimaryType(), inside);
        }
    }

    /** Fields that are not written because somebody said so. Others are seen when there is a result. */
    private void unwritten(Class<?> raw, BeanDescription read, Set<String> names, String path) {
        Set<String> said = new HashSet<>();
        read.findProperties().forEach(property -> said.add(property.getInternalName()));
        said.addAll(read.getIgnoredPropertyNames()); // known only when the properties are
        for (Class<?> at = raw; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                String name = field.getName();
                int modifiers = field.getModifiers();
                boolean left = !names.contains(name) && (said.contains(name) || Modifier.isTransient(modifiers));
                if (left && !Modifier.isStatic(modifiers)) {
                    losses.add("\"" + inside(path, name) + "\" of " + at.getTypeName() + " is not written");
                }
            }
        }
    }

    private static Set<String> writable(BeanDescription type) {
        return type.findProperties().stream()
                .filter(BeanPropertyDefinition::couldSerialize)
                .map(BeanPropertyDefinition::getInternalName)
                .collect(Collectors.toSet());
    }

    private static String inside(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
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
