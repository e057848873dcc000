package io.onefold.jackson2;

import com.fasterxml.jackson.databind.AbstractTypeResolver;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads sets in the order in which they were written, as lists and maps are. Then a replay is written in that order,
 * too.
 */
final class Jackson2InsertionOrderModule extends AbstractTypeResolver {

    @Override
    public @Nullable JavaType findTypeMapping(DeserializationConfig config, JavaType type) {
        return type.hasRawClass(Set.class) || type.hasRawClass(HashSet.class)
                ? config.getTypeFactory().constructSpecializedType(type, LinkedHashSet.class)
                : null;
    }
}
