package io.onefold.jackson;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.ser.std.ToStringSerializer;

/**
 * Annotations as they are meant for results: what a class writes but does not accept from clients is read back all the same. Stored bytes
 * come from the application itself.
 */
final class ReadBackIntrospector extends NopAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    private final AnnotationIntrospector own;

    private ReadBackIntrospector(AnnotationIntrospector own) {
        this.own = own;
    }

    /** A copy of the mapper that reads back what it writes, as far as annotations decide it; the mapper itself stays as it is. */
    static ObjectMapper readingBack(ObjectMapper mapper) {
        MapperBuilder<?, ?> copy = mapper.rebuild();
        AnnotationIntrospector own = copy.annotationIntrospector();
        copy.annotationIntrospector(AnnotationIntrospector.pair(new ReadBackIntrospector(own), own));
        // derived properties are written and have nowhere to go; releases read each other
        copy.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        copy.addAbstractTypeResolver(new InsertionOrderModule());
        return copy.build();
    }

    @Override
    public JsonProperty.@Nullable Access findPropertyAccess(MapperConfig<?> config, Annotated annotated) {
        return own.findPropertyAccess(config, annotated) == JsonProperty.Access.READ_ONLY
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
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated annotated) {
        if (own.findDeserializer(config, annotated) != null) {
            return null;
        }
        JsonFormat.Value format = own.findFormat(config, annotated);
        boolean text = (format != null && format.getShape() == JsonFormat.Shape.STRING)
                || own.findSerializer(config, annotated) == ToStringSerializer.class;
        return text ? NumberTextDeserializer.of(readType(annotated)) : null;
    }

    private static Class<?> readType(Annotated annotated) {
        return annotated instanceof AnnotatedMethod setter && setter.getParameterCount() == 1
                ? setter.getRawParameterType(0)
                : annotated.getRawType();
    }
}
