package io.onefold.jackson2;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Annotations as they are meant for results: what a class writes but does not accept from clients is read back all the same. Stored bytes
 * come from the application itself.
 */
final class Jackson2ReadBackIntrospector extends NopAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    private final AnnotationIntrospector own;

    private Jackson2ReadBackIntrospector(AnnotationIntrospector own) {
        this.own = own;
    }

    /** A copy of the mapper that reads back what it writes, as far as annotations decide it; the mapper itself stays as it is. */
    static ObjectMapper readingBack(ObjectMapper mapper) {
        ObjectMapper copy = mapper.copy();
        AnnotationIntrospector own = copy.getDeserializationConfig().getAnnotationIntrospector();
        copy.setAnnotationIntrospectors(
                copy.getSerializationConfig().getAnnotationIntrospector(),
                AnnotationIntrospector.pair(new Jackson2ReadBackIntrospector(own), own));
        // derived properties are written and have nowhere to go; releases read each other
        copy.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
        copy.registerModule(new SimpleModule("onefold-order") {
            private static final long serialVersionUID = 1;

            @Override
            public void setupModule(SetupContext context) {
                context.addAbstractTypeResolver(new Jackson2InsertionOrderModule());
            }
        });
        return copy;
    }

    @Override
    public JsonProperty.@Nullable Access findPropertyAccess(Annotated annotated) {
        return own.findPropertyAccess(annotated) == JsonProperty.Access.READ_ONLY
                ? JsonProperty.Access.READ_WRITE
                : null;
    }

    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(MapperConfig<?> config, Annotated annotated) {
        JsonIgnoreProperties.Value ignored = own.findPropertyIgnoralByName(config, annotated);
        return ignored != null && ignored.getAllowGetters()
                ? ignored.withAllowSetters()
                : JsonIgnoreProperties.Value.empty();
    }

    /** Numbers that are written as texts are read from texts, and from nothing else. */
    @Override
    public @Nullable Object findDeserializer(Annotated annotated) {
        if (own.findDeserializer(annotated) != null) {
            return null;
        }
        JsonFormat.Value format = own.findFormat(annotated);
        boolean text = (format != null && format.getShape() == JsonFormat.Shape.STRING)
                || own.findSerializer(annotated) == ToStringSerializer.class;
        return text ? Jackson2NumberTextDeserializer.of(readType(annotated)) : null;
    }

    private static Class<?> readType(Annotated annotated) {
        return annotated instanceof AnnotatedMethod setter && setter.getParameterCount() == 1
                ? setter.getRawParameterType(0)
                : annotated.getRawType();
    }
}
