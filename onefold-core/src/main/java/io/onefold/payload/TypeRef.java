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

/** A type without variables or wildcards. An array hands its arguments on to its component: {@code List<String>[]} is List[] with String. */
record TypeRef(Class<?> raw, List<TypeRef> arguments) {

    static TypeRef of(Type type) {
        return of(type, Map.of());
    }

    private static TypeRef of(Type type, Map<TypeVariable<?>, TypeRef> known) {
        if (type instanceof Class<?> raw) {
            return new TypeRef(raw, List.of());
        }
        if (type instanceof ParameterizedType generic) {
            List<TypeRef> arguments = Stream.of(generic.getActualTypeArguments())
                    .map(argument -> of(argument, known))
                    .toList();
            return new TypeRef((Class<?>) generic.getRawType(), arguments);
        }
        if (type instanceof GenericArrayType array) {
            TypeRef component = of(array.getGenericComponentType(), known);
            return new TypeRef(component.raw.arrayType(), component.arguments);
        }
        TypeRef bound = type instanceof TypeVariable<?> variable ? known.get(variable) : null;
        if (bound == null) {
            throw new MisfitException("cannot carry " + type.getTypeName()
                    + ", which stands for no particular type: declare " + "it, or use the onefold-jackson module");
        }
        return bound;
    }

    /** A type as it was declared inside this one, with this one's arguments for its variables. */
    TypeRef resolve(Type member) {
        Map<TypeVariable<?>, TypeRef> known = new HashMap<>();
        TypeVariable<?>[] variables = raw.getTypeParameters();
        for (int i = 0; i < Math.min(variables.length, arguments.size()); i++) {
            known.put(variables[i], arguments.get(i));
        }
        return of(member, known);
    }

    TypeRef component() {
        return new TypeRef(raw.getComponentType(), arguments);
    }

    @Override
    public String toString() {
        return arguments.isEmpty()
                ? raw.getTypeName()
                : arguments.stream()
                        .map(TypeRef::toString)
                        .collect(Collectors.joining(", ", raw.getTypeName() + "<", ">"));
    }
}
