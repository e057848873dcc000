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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the shape of a declared type, once. What has a shape can be carried; nothing else decides that. */
final class Shapes {

    /** Generic records can describe types that never end. */
    private static final int MAX_NESTING = 64;

    private final Map<ResolvedType, Shape> known = new ConcurrentHashMap<>();

    Shape of(Type type) {
        ResolvedType resolved = ResolvedType.of(type);
        Shape shape = known.get(resolved);
        if (shape == null) {
            // Published only when the whole type proved fit: a record may stand in here before its components were
            // looked at.
            Search search = new Search();
            shape = search.find(resolved);
            known.putAll(search.found);
        }
        return shape;
    }

    private static final class Search {

        private final Map<ResolvedType, Shape> found = new HashMap<>();
        private int nesting;

        Shape find(ResolvedType type) {
            Shape shape = found.get(type);
            if (shape == null) {
                shape = type.raw().isRecord() ? record(type) : simple(type);
                found.put(type, shape);
            }
            return shape;
        }

        private Shape inside(String step, Supplier<ResolvedType> type) {
            if (nesting == MAX_NESTING) {
                throw new MisfitException("types nested deeper than " + MAX_NESTING + " levels");
            }
            nesting++;
            try {
                return find(type.get());
            } catch (MisfitException e) {
                throw e.within(step);
            } finally {
                nesting--;
            }
        }

        private Shape record(ResolvedType type) {
            RecordType record = RecordType.of(type.raw());
            List<Shape> shapes = new ArrayList<>();
            Shape shape = new RecordShape(record, shapes);
            found.put(type, shape);
            for (RecordType.Component component : record.components()) {
                shapes.add(inside(component.name(), () -> type.resolve(component.type())));
            }
            return shape;
        }

        private Shape simple(ResolvedType type) {
            Class<?> raw = type.raw();
            Scalar<?, ?> scalar = Scalar.of(raw);
            if (scalar != null) {
                return scalar;
            }
            if (raw.isArray()) {
                return new ListShape(raw, inside("[]", type::component));
            }
            List<ResolvedType> arguments = type.arguments();
            if (arguments.size() == 1 && ListShape.TYPES.contains(raw)) {
                return new ListShape(raw, inside("[]", () -> arguments.get(0)));
            }
            // An Optional inside an Optional could not be told from an empty one.
            if (arguments.size() == 1
                    && raw == Optional.class
                    && arguments.get(0).raw() != Optional.class) {
                return new OptionalShape(inside("?", () -> arguments.get(0)));
            }
            if (arguments.size() == 2 && (raw == Map.class || raw == LinkedHashMap.class)) {
                return new MapShape(key(arguments.get(0)), inside("*", () -> arguments.get(1)));
            }
            throw unfit(type);
        }

        private static Scalar<?, ?> key(ResolvedType type) {
            Scalar<?, ?> key = Scalar.of(type.raw());
            if (key == null || !(key.node() == String.class || key.node() == JsonNumber.class)) {
                throw unfit(type).within("key");
            }
            if (key.type() == byte[].class || key.type() == BigDecimal.class) {
                throw unfit(type).within("key");
            }
            return key;
        }

        private static MisfitException unfit(ResolvedType type) {
            return new MisfitException("cannot carry " + type
                    + ": declare a record, enum, List, Set, Map or scalar, or use the onefold-jackson module");
        }
    }

    private record RecordShape(RecordType type, List<Shape> shapes) implements Shape {

        @Override
        public Object toTree(Object value) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            for (int i = 0; i < shapes.size(); i++) {
                RecordType.Component component = type.components()[i];
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
            Map<?, ?> members = Shape.expect(Map.class, tree);
            @Nullable Object[] arguments = new Object[shapes.size()];
            for (int i = 0; i < arguments.length; i++) {
                String name = type.components()[i].name();
                Shape shape = shapes.get(i);
                try {
                    arguments[i] = members.containsKey(name) ? shape.read(members.get(name)) : shape.missing();
                } catch (MisfitException e) {
                    throw e.within(name);
                }
            }
            return type.create(arguments);
        }
    }

    private record ListShape(Class<?> raw, Shape element) implements Shape {

        static final Set<Class<?>> TYPES =
                Set.of(List.class, Collection.class, ArrayList.class, Set.class, LinkedHashSet.class);

        @Override
        public Object toTree(Object value) {
            List<@Nullable Object> tree = new ArrayList<>();
            Collection<?> items = raw.isArray() ? Shape.elements(raw.cast(value)) : (Collection<?>) value;
            items.forEach(item -> tree.add(element.write(item)));
            return tree;
        }

        @Override
        public Object fromTree(Object tree) {
            List<@Nullable Object> items = new ArrayList<>();
            try {
                for (Object item : Shape.expect(List.class, tree)) {
                    items.add(element.read(item));
                }
            } catch (MisfitException e) {
                throw e.within("[]");
            }
            if (!raw.isArray()) {
                return Set.class.isAssignableFrom(raw) ? new LinkedHashSet<>(items) : items;
            }
            Object array = Array.newInstance(raw.getComponentType(), items.size());
            for (int i = 0; i < items.size(); i++) {
                Array.set(array, i, items.get(i));
            }
            return array;
        }
    }

    /** Keys are strings in JSON; an integer is its digits. */
    private record MapShape(Scalar<?, ?> key, Shape value) implements Shape {

        @Override
        public Object toTree(Object map) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            ((Map<?, ?>) map).forEach((name, item) -> {
                if (name == null) {
                    throw new MisfitException("a null key");
                }
                tree.put(key.toTree(name).toString(), value.write(item));
            });
            return tree;
        }

        @Override
        public Object fromTree(Object tree) {
            Map<Object, @Nullable Object> map = new LinkedHashMap<>();
            try {
                for (Map.Entry<?, ?> member : ((Map<?, ?>) Shape.expect(Map.class, tree)).entrySet()) {
                    map.put(readKey((String) member.getKey()), value.read(member.getValue()));
                }
            } catch (MisfitException e) {
                throw e.within("*");
            }
            return map;
        }

        /** Only as it is written: two spellings of one key would become one entry. */
        private Object readKey(String name) {
            Object read = key.fromTree(key.node() == String.class ? name : new JsonNumber(name));
            if (!key.toTree(read).toString().equals(name)) {
                throw new MisfitException("not a key as it is written");
            }
            return read;
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
}
