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
final class JsonTypeReaders {

    /** Generic records can describe types that never end. */
    private static final int MAX_NESTING = 64;

    private static final Set<Class<?>> LISTS =
            Set.of(List.class, Collection.class, ArrayList.class, Set.class, LinkedHashSet.class);

    private final Map<Type, JsonTypeReader> byType = new ConcurrentHashMap<>();
    private final Map<ResolvedType, JsonTypeReader> known = new ConcurrentHashMap<>();

    JsonTypeReader of(Type type) {
        JsonTypeReader shape = byType.get(type);
        if (shape == null) {
            shape = find(type);
            byType.put(type, shape);
        }
        return shape;
    }

    private JsonTypeReader find(Type type) {
        ResolvedType resolved = ResolvedType.of(type);
        JsonTypeReader shape = known.get(resolved);
        if (shape == null) {
            // Published only when the whole type proved fit: a record may stand in here before its components were
            // looked at.
            TypeReaderSearch search = new TypeReaderSearch();
            shape = search.find(resolved);
            known.putAll(search.found);
        }
        return shape;
    }

    private static final class TypeReaderSearch {

        private final Map<ResolvedType, JsonTypeReader> found = new HashMap<>();
        private int nesting;

        JsonTypeReader find(ResolvedType type) {
            JsonTypeReader shape = found.get(type);
            if (shape == null) {
                shape = type.raw().isRecord() ? record(type) : simple(type);
                found.put(type, shape);
            }
            return shape;
        }

        private JsonTypeReader inside(String step, Supplier<ResolvedType> type) {
            if (nesting++ == MAX_NESTING) {
                throw new UnsupportedValueException("types nested deeper than " + MAX_NESTING + " levels");
            }
            try {
                return find(type.get());
            } catch (UnsupportedValueException e) {
                throw e.within(step);
            } finally {
                nesting--;
            }
        }

        private JsonTypeReader record(ResolvedType type) {
            JavaRecordType record = JavaRecordType.of(type.raw());
            List<JsonTypeReader> shapes = new ArrayList<>();
            JsonTypeReader shape = new JsonTypeReader(type.raw(), tree -> readRecord(record, shapes, tree));
            found.put(type, shape);
            for (JavaRecordType.RecordComponentAccess component : record.components()) {
                shapes.add(inside(component.name(), () -> type.resolve(component.type())));
            }
            return shape;
        }

        private JsonTypeReader simple(ResolvedType type) {
            Class<?> raw = type.raw();
            List<ResolvedType> arguments = type.arguments();
            ScalarType<?, ?> scalar = ScalarType.of(raw);
            if (scalar != null) {
                return new JsonTypeReader(raw, scalar::read);
            }
            if (raw == void.class || raw == Void.class) {
                return new JsonTypeReader(Void.class, tree -> {
                    throw new UnsupportedValueException("a value where none is declared");
                });
            }
            if (raw.isArray() || (LISTS.contains(raw) && !arguments.isEmpty())) {
                JsonTypeReader element = inside("[]", type::element);
                return new JsonTypeReader(raw, tree -> readList(raw, element, tree));
            }
            if (arguments.isEmpty()) {
                throw unfit(type);
            }
            if (raw == Map.class || raw == LinkedHashMap.class) {
                ScalarType<?, ?> key = key(arguments.get(0));
                JsonTypeReader value = inside("*", () -> arguments.get(1));
                return new JsonTypeReader(raw, tree -> readMap(key, value, tree));
            }
            // An Optional inside an Optional could not be told from an empty one.
            if (raw == Optional.class && arguments.get(0).raw() != Optional.class) {
                JsonTypeReader value = inside("?", () -> arguments.get(0));
                return new JsonTypeReader(raw, tree -> Optional.ofNullable(value.read(tree)));
            }
            throw unfit(type);
        }

        private static ScalarType<?, ?> key(ResolvedType type) {
            ScalarType<?, ?> key = ScalarType.of(type.raw());
            if (key == null || !key.isKey()) {
                throw unfit(type).within("key");
            }
            return key;
        }

        private static UnsupportedValueException unfit(ResolvedType type) {
            return new UnsupportedValueException("cannot carry " + type
                    + ": declare a record, enum, List, Set, Map or scalar, or use the onefold-jackson module");
        }
    }

    /** Unknown members are left aside, missing ones get a default: releases before and after this one read each other. */
    private static Object readRecord(JavaRecordType type, List<JsonTypeReader> shapes, Object tree) {
        Map<?, ?> members = JsonTypeReader.expect(Map.class, tree);
        @Nullable Object[] arguments = new Object[shapes.size()];
        for (int i = 0; i < arguments.length; i++) {
            String name = type.components()[i].name();
            JsonTypeReader shape = shapes.get(i);
            arguments[i] = members.containsKey(name) ? shape.read(name, members.get(name)) : shape.missing();
        }
        return type.create(arguments);
    }

    private static Object readList(Class<?> type, JsonTypeReader element, Object tree) {
        List<@Nullable Object> items = new ArrayList<>();
        for (Object item : JsonTypeReader.expect(List.class, tree)) {
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
    private static Object readMap(ScalarType<?, ?> key, JsonTypeReader value, Object tree) {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (Map.Entry<?, ?> member : ((Map<?, ?>) JsonTypeReader.expect(Map.class, tree)).entrySet()) {
            String name = (String) member.getKey();
            Object read = key.read(key.node() == String.class ? name : new JsonNumber(name));
            if (!ScalarType.textOf(read).equals(name)) {
                throw new UnsupportedValueException("a key that is written in another way");
            }
            map.put(read, value.read("*", member.getValue()));
        }
        return map;
    }
}
