package io.onefold.payload;

import java.lang.reflect.Array;
import java.lang.reflect.Type;
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

    private static final Set<Class<?>> LISTS =
            Set.of(List.class, Collection.class, ArrayList.class, Set.class, LinkedHashSet.class);

    private final Map<Type, Shape> byType = new ConcurrentHashMap<>();
    private final Map<ResolvedType, Shape> known = new ConcurrentHashMap<>();

    Shape of(Type type) {
        Shape shape = byType.get(type);
        if (shape == null) {
            shape = find(type);
            byType.put(type, shape);
        }
        return shape;
    }

    private Shape find(Type type) {
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
            if (nesting++ == MAX_NESTING) {
                throw new MisfitException("types nested deeper than " + MAX_NESTING + " levels");
            }
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
            Shape shape = new Shape(type.raw(), tree -> readRecord(record, shapes, tree));
            found.put(type, shape);
            for (RecordType.Component component : record.components()) {
                shapes.add(inside(component.name(), () -> type.resolve(component.type())));
            }
            return shape;
        }

        private Shape simple(ResolvedType type) {
            Class<?> raw = type.raw();
            List<ResolvedType> arguments = type.arguments();
            Scalar<?, ?> scalar = Scalar.of(raw);
            if (scalar != null) {
                return new Shape(raw, scalar::read);
            }
            if (raw == void.class || raw == Void.class) {
                return new Shape(Void.class, tree -> {
                    throw new MisfitException("a value where none is declared");
                });
            }
            if (raw.isArray() || (LISTS.contains(raw) && !arguments.isEmpty())) {
                Shape element = inside("[]", type::element);
                return new Shape(raw, tree -> readList(raw, element, tree));
            }
            if (arguments.isEmpty()) {
                throw unfit(type);
            }
            if (raw == Map.class || raw == LinkedHashMap.class) {
                Scalar<?, ?> key = key(arguments.get(0));
                Shape value = inside("*", () -> arguments.get(1));
                return new Shape(raw, tree -> readMap(key, value, tree));
            }
            // An Optional inside an Optional could not be told from an empty one.
            if (raw == Optional.class && arguments.get(0).raw() != Optional.class) {
                Shape value = inside("?", () -> arguments.get(0));
                return new Shape(raw, tree -> Optional.ofNullable(value.read(tree)));
            }
            throw unfit(type);
        }

        private static Scalar<?, ?> key(ResolvedType type) {
            Scalar<?, ?> key = Scalar.of(type.raw());
            if (key == null || !key.isKey()) {
                throw unfit(type).within("key");
            }
            return key;
        }

        private static MisfitException unfit(ResolvedType type) {
            return new MisfitException("cannot carry " + type
                    + ": declare a record, enum, List, Set, Map or scalar, or use the onefold-jackson module");
        }
    }

    /** Unknown members are left aside, missing ones get a default: releases before and after this one read each other. */
    private static Object readRecord(RecordType type, List<Shape> shapes, Object tree) {
        Map<?, ?> members = Shape.expect(Map.class, tree);
        @Nullable Object[] arguments = new Object[shapes.size()];
        for (int i = 0; i < arguments.length; i++) {
            String name = type.components()[i].name();
            Shape shape = shapes.get(i);
            arguments[i] = members.containsKey(name) ? shape.read(name, members.get(name)) : shape.missing();
        }
        return type.create(arguments);
    }

    private static Object readList(Class<?> type, Shape element, Object tree) {
        List<@Nullable Object> items = new ArrayList<>();
        for (Object item : Shape.expect(List.class, tree)) {
            items.add(element.read("[]", item));
        }
        if (!type.isArray()) {
            return Set.class.isAssignableFrom(type) ? new LinkedHashSet<>(items) : items;
        }
        Object array = Array.newInstance(type.getComponentType(), items.size());
        for (int i = 0; i < items.size(); i++) {
            Array.set(array, i, items.get(i));
        }
        return array;
    }

    /** Keys are strings in JSON, and read only as they are written: two spellings of one key would become one entry. */
    private static Object readMap(Scalar<?, ?> key, Shape value, Object tree) {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (Map.Entry<?, ?> member : ((Map<?, ?>) Shape.expect(Map.class, tree)).entrySet()) {
            String name = (String) member.getKey();
            Object read = key.read(key.node() == String.class ? name : new JsonNumber(name));
            if (!Scalar.textOf(read).equals(name)) {
                throw new MisfitException("a key that is written in another way");
            }
            map.put(read, value.read("*", member.getValue()));
        }
        return map;
    }
}
