package io.onefold.jackson;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.AbstractTypeResolver;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;

/**
 * Reads sets in the order in which they were written, as lists and maps are. Then a replay is written in that order,
 * too.
 */
final class InsertionOrderModule extends AbstractTypeResolver {

    @Override
    public @Nullable JavaType findTypeMapping(DeserializationConfig config, JavaType type) {
        return type.hasRawClass(Set.class) || type.hasRawClass(HashSet.class)
                ? config.getTypeFactory().constructSpecializedType(type, LinkedHashSet.class)
                : null;
    }
}
