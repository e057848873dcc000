package io.onefold.payload;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A type without variables or wildcards. An array hands its arguments on to its component: {@code List<String>[]} is
 * List[] with String.
 */
record ResolvedType(Class<?> raw, List<ResolvedType> arguments) {

    static ResolvedType of(Type type) {
        return new ResolvedType(Object.class, List.of()).resolve(type);
    }

    /** A type as it was declared inside this one, with this one's arguments for its variables. */
    ResolvedType resolve(Type member) {
        if (member instanceof Class<?> type) {
            return new ResolvedType(type, List.of());
        }
        if (member instanceof ParameterizedType generic) {
            List<ResolvedType> inside = Stream.of(generic.getActualTypeArguments())
                    .map(this::resolve)
                    .toList();
            return new ResolvedType((Class<?>) generic.getRawType(), inside);
        }
        if (member instanceof GenericArrayType array) {
            ResolvedType component = resolve(array.getGenericComponentType());
            return new ResolvedType(component.raw.arrayType(), component.arguments);
        }
        int variable = Arrays.asList((Type[]) raw.getTypeParameters()).indexOf(member);
        if (variable < 0 || variable >= arguments.size()) {
            throw new UnsupportedValueException("cannot carry " + member.getTypeName()
                    + ", which stands for no particular type: declare it, or use the onefold-jackson module");
        }
        return arguments.get(variable);
    }

    /** Returns the element type of an array or collection. */
    ResolvedType element() {
        return raw.isArray() ? new ResolvedType(raw.getComponentType(), arguments) : arguments.get(0);
    }

    @Override
    public String toString() {
        String inside = arguments.stream().map(ResolvedType::toString).collect(Collectors.joining(", ", "<", ">"));
        return arguments.isEmpty() ? raw.getTypeName() : raw.getTypeName() + inside;
    }
}
