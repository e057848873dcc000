package io.onefold.payload;

import java.lang.reflect.Array;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the shape of a declared type, once. What has a shape can be carried; nothing else decides that. */
final class Shapes {

    /** Generic records can describe types that never end. */
    private static final int MAX_NESTING = 64;

    private final Map<ResolvedType, Shape> known = new ConcurrentHashMap<>();

    Shape of(Type type) {
        ResolvedType ref = ResolvedType.of(type);
        Shape shape = known.get(ref);
        if (shape == null) {
            // Published only when the whole type proved fit: a record may stand in here before its components were
            // looked at.
            Map<ResolvedType, Shape> found = new HashMap<>();
            shape = shape(ref, found, 0);
            known.putAll(found);
        }
        return shape;
    }

    private Shape shape(ResolvedType type, Map<ResolvedType, Shape> found, int nesting) {
        Shape done = found.get(type);
        if (done != null) {
            return done;
        }
        if (nesting > MAX_NESTING) {
            throw new MisfitException("types nested deeper than " + MAX_NESTING + " levels");
        }
        Shape shape = type.raw().isRecord() ? record(type, found, nesting) : simple(type, found, nesting);
        found.put(type, shape);
        return shape;
    }

    private Shape record(ResolvedType type, Map<ResolvedType, Shape> found, int nesting) {
        RecordType record = RecordType.of(type.raw());
        List<RecordType.Component> components = record.components();
        List<Shape> shapes = new ArrayList<>();
        Shape shape = new RecordShape(record, shapes);
        found.put(type, shape);
        for (RecordType.Component component : components) {
            try {
                shapes.add(shape(type.resolve(component.type()), found, nesting + 1));
            } catch (MisfitException e) {
                throw e.within(component.name());
            }
        }
        return shape;
    }

    private Shape simple(ResolvedType type, Map<ResolvedType, Shape> found, int nesting) {
        Class<?> raw = type.raw();
        Shape scalar = raw.isEnum() ? ScalarShape.ofEnum(raw) : ScalarShape.of(raw);
        if (scalar != null) {
            return scalar;
        }
        if (raw == void.class || raw == Void.class) {
            return new VoidShape();
        }
        if (raw.isArray()) {
            Shape element = inner("[]", type.component(), found, nesting);
            return new ListShape(element, array -> elements(array), list -> array(raw.getComponentType(), list));
        }
        List<ResolvedType> arguments = type.arguments();
        if (arguments.size() == 1) {
            ResolvedType argument = arguments.get(0);
            if (raw == List.class || raw == Collection.class || raw == ArrayList.class) {
                return new ListShape(
                        inner("[]", argument, found, nesting), value -> (Collection<?>) value, list -> list);
            }
            if (raw == Set.class || raw == LinkedHashSet.class) {
                Shape element = inner("[]", argument, found, nesting);
                return new ListShape(element, value -> (Collection<?>) value, LinkedHashSet::new);
            }
            // An Optional inside an Optional could not be told from an empty one.
            if (raw == Optional.class && argument.raw() != Optional.class) {
                return new OptionalShape(inner("?", argument, found, nesting));
            }
        }
        if (arguments.size() == 2 && (raw == Map.class || raw == LinkedHashMap.class)) {
            return new MapShape(key(arguments.get(0)), inner("*", arguments.get(1), found, nesting));
        }
        throw unfit(type);
    }

    private Shape inner(String step, ResolvedType type, Map<ResolvedType, Shape> found, int nesting) {
        try {
            return shape(type, found, nesting + 1);
        } catch (MisfitException e) {
            throw e.within(step);
        }
    }

    /** Keys are strings in JSON; an integer is its digits. */
    private static Shape key(ResolvedType type) {
        Class<?> raw = type.raw();
        Shape shape = raw.isEnum() ? ScalarShape.ofEnum(raw) : ScalarShape.of(raw);
        if (shape instanceof ScalarShape<?, ?> scalar && raw != byte[].class) {
            if (scalar.node() == String.class) {
                return scalar;
            }
            if (scalar.node() == JsonNumber.class && raw != BigDecimal.class) {
                return new IntegerKeyShape(scalar);
            }
        }
        throw unfit(type).within("key");
    }

    private static MisfitException unfit(ResolvedType type) {
        return new MisfitException("cannot carry " + type
                + ": declare a record, enum, List, Set, Map or scalar, or use the " + "onefold-jackson module");
    }

    private static List<@Nullable Object> elements(Object array) {
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            elements.add(Array.get(array, i));
        }
        return elements;
    }

    private static Object array(Class<?> component, List<?> elements) {
        Object array = Array.newInstance(component, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    private record RecordShape(RecordType type, List<Shape> shapes) implements Shape {

        @Override
        public Object toTree(Object value) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            for (int i = 0; i < shapes.size(); i++) {
                RecordType.Component component = type.components().get(i);
                members.put(component.name(), shapes.get(i).write(component.get(value)));
            }
            return members;
        }

        /**
         * Unknown members are left aside, missing ones get a default: releases before and after this one read each
         * other.
         */
        @Override
        public Object fromTree(Object tree) {
            Map<?, ?> members = (Map<?, ?>) Shape.expect(Map.class, tree);
            @Nullable Object[] arguments = new Object[shapes.size()];
            for (int i = 0; i < shapes.size(); i++) {
                String name = type.components().get(i).name();
                try {
                    arguments[i] = members.containsKey(name)
                            ? shapes.get(i).read(members.get(name))
                            : shapes.get(i).missing();
                } catch (MisfitException e) {
                    throw e.within(name);
                }
            }
            return type.create(arguments);
        }
    }

    private record ListShape(
            Shape element, Function<Object, Collection<?>> open, Function<List<@Nullable Object>, Object> close)
            implements Shape {

        @Override
        public Object toTree(Object value) {
            List<@Nullable Object> tree = new ArrayList<>();
            open.apply(value).forEach(item -> tree.add(element.write(item)));
            return tree;
        }

        @Override
        public Object fromTree(Object tree) {
            List<@Nullable Object> items = new ArrayList<>();
            try {
                for (Object item : (List<?>) Shape.expect(List.class, tree)) {
                    items.add(element.read(item));
                }
            } catch (MisfitException e) {
                throw e.within("[]");
            }
            return close.apply(items);
        }
    }

    private record MapShape(Shape key, Shape value) implements Shape {

        @Override
        public Object toTree(Object map) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            ((Map<?, ?>) map).forEach((name, item) -> {
                if (name == null) {
                    throw new MisfitException("a null key");
                }
                tree.put((String) key.toTree(name), value.write(item));
            });
            return tree;
        }

        @Override
        public Object fromTree(Object tree) {
            Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
            try {
                ((Map<?, ?>) Shape.expect(Map.class, tree))
                        .forEach((name, item) -> map.put(key.fromTree(name), value.read(item)));
            } catch (MisfitException e) {
                throw e.within("*");
            }
            return map;
        }
    }

    private record IntegerKeyShape(ScalarShape<?, ?> integer) implements Shape {

        private static final Pattern DIGITS = Pattern.compile("-?[0-9]+");

        @Override
        public Object toTree(Object value) {
            return ((JsonNumber) integer.toTree(value)).text();
        }

        @Override
        public Object fromTree(Object tree) {
            String digits = (String) tree;
            if (!DIGITS.matcher(digits).matches()) {
                throw new MisfitException("a key that is not an integer");
            }
            return integer.fromTree(new JsonNumber(digits));
        }
    }

    private record OptionalShape(Shape value) implements Shape {

        @Override
        public @Nullable Object toTree(Object optional) {
            return ((Optional<?>) optional).map(value::toTree).orElse(null);
        }

        @Override
        public Object fromTree(Object tree) {
            return Optional.ofNullable(value.fromTree(tree));
        }

        @Override
        public Object missing() {
            return Optional.empty();
        }

        @Override
        public Object nothing() {
            return Optional.empty();
        }
    }

    private static final class VoidShape implements Shape {

        @Override
        public Object toTree(Object value) {
            throw new MisfitException("a value where none is declared");
        }

        @Override
        public Object fromTree(Object tree) {
            throw new MisfitException("a value where none is declared");
        }
    }
}
