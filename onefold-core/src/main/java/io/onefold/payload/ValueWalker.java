package io.onefold.payload;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells any value, part by part, as JSON: what a fingerprint hashes and what a codec stores. */
abstract class ValueWalker {

    private static final Comparator<WalkedMember> BY_NAME = Comparator.comparing(WalkedMember::name);

    private final int maxDepth;
    private final boolean sorting;
    private int depth;

    /**
     * @param sorting whether the members of a map are told in the order of their names, or in that of the map
     */
    ValueWalker(int maxDepth, boolean sorting) {
        this.maxDepth = maxDepth;
        this.sorting = sorting;
    }

    abstract void bracket(char bracket);

    abstract void name(String name);

    /** Null, or a Boolean, String, Number or {@link JsonNumber}. */
    abstract void scalar(@Nullable Object value);

    final void value(@Nullable Object value) {
        if (value == null || value instanceof String || value instanceof Number) {
            scalar(value);
        } else if (value instanceof Boolean || value instanceof JsonNumber) {
            scalar(value);
        } else if (value instanceof Record record) {
            enter('{');
            for (JavaRecordType.RecordComponentAccess component :
                    JavaRecordType.of(record.getClass()).sorted()) {
                member(component.name(), component.get(record));
            }
            bracket('}');
        } else if (value instanceof Map<?, ?> map) {
            enter('{');
            for (WalkedMember member : members(map)) {
                member(member.name, member.value);
            }
            bracket('}');
        } else if (value instanceof Set<?> set) {
            set(set);
        } else if (value instanceof Collection<?> list) {
            list(list);
        } else if (value instanceof Optional<?> optional) {
            value(optional.orElse(null));
        } else if (value.getClass().isArray() && !(value instanceof byte[])) {
            List<@Nullable Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(Array.get(value, i));
            }
            list(elements);
        } else {
            scalar(ScalarType.textOf(value));
        }
    }

    final void enter(char bracket) {
        if (depth == maxDepth) {
            throw new UnsupportedValueException("nested deeper than " + maxDepth + " levels; is the structure cyclic?");
        }
        bracket(bracket);
    }

    void member(String name, @Nullable Object value) {
        name(name);
        inside(name, value);
    }

    void set(Set<?> set) {
        list(set);
    }

    private void list(Collection<?> list) {
        enter('[');
        list.forEach(element -> inside("[]", element));
        bracket(']');
    }

    final void inside(String step, @Nullable Object value) {
        depth++;
        try {
            value(value);
        } catch (UnsupportedValueException e) {
            throw e.within(step);
        }
        depth--;
    }

    private record WalkedMember(String name, @Nullable Object value) {}

    private List<WalkedMember> members(Map<?, ?> map) {
        List<WalkedMember> members = new ArrayList<>(map.size());
        boolean texts = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            boolean text = entry.getKey() instanceof String;
            members.add(new WalkedMember(
                    text ? (String) entry.getKey() : ScalarType.textOf(entry.getKey()), entry.getValue()));
            texts &= text;
        }
        if (!texts) {
            checkNames(members);
        }
        if (sorting) {
            members.sort(BY_NAME);
        }
        return members;
    }

    /** Keys that differ may be written alike. */
    private static void checkNames(List<WalkedMember> members) {
        Set<String> names = new HashSet<>();
        for (WalkedMember member : members) {
            if (!names.add(member.name)) {
                throw new UnsupportedValueException("two keys of the map are written alike").within(member.name);
            }
        }
    }
}
