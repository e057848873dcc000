package io.onefold.payload;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A type without variables or wildcards. An array hands its arguments on to its component: {@code List<String>[]} is
 * List[] with String.
 */
record ResolvedType(Class<?> raw, List<ResolvedType> arguments) {

    static ResolvedType of(Type type) {
        return of(type, Map.of());
    }

    private static ResolvedType of(Type type, Map<TypeVariable<?>, ResolvedType> known) {
        if (type instanceof Class<?> raw) {
            return new ResolvedType(raw, List.of());
        }
        if (type instanceof ParameterizedType generic) {
            List<ResolvedType> arguments = Stream.of(generic.getActualTypeArguments())
                    .map(argument -> of(argument, known))
                    .toList();
            return new ResolvedType((Class<?>) generic.getRawType(), arguments);
        }
        if (type instanceof GenericArrayType array) {
            ResolvedType component = of(array.getGenericComponentType(), known);
            return new ResolvedType(component.raw.arrayType(), component.arguments);
        }
        ResolvedType bound = type instanceof TypeVariable<?> variable ? known.get(variable) : null;
        if (bound == null) {
            throw new MisfitException("cannot carry " + type.getTypeName()
                    + ", which stands for no particular type: declare " + "it, or use the onefold-jackson module");
        }
        return bound;
    }

    /** A type as it was declared inside this one, with this one's arguments for its variables. */
    ResolvedType resolve(Type member) {
        Map<TypeVariable<?>, ResolvedType> known = new HashMap<>();
        TypeVariable<?>[] variables = raw.getTypeParameters();
        for (int i = 0; i < Math.min(variables.length, arguments.size()); i++) {
            known.put(variables[i], arguments.get(i));
        }
        return of(member, known);
    }

    ResolvedType component() {
        return new ResolvedType(raw.getComponentType(), arguments);
    }

    @Override
    public String toString() {
        return arguments.isEmpty()
                ? raw.getTypeName()
                : arguments.stream()
                        .map(ResolvedType::toString)
                        .collect(Collectors.joining(", ", raw.getTypeName() + "<", ">"));
    }
}
