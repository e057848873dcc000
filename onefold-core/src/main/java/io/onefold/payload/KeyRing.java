package io.onefold.payload;

import static io.onefold.payload.UnreadableResultException.UnreadableReason.UNKNOWN_KEY;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** The key to write with and all keys that may still be read with, by ids that start with their algorithm. */
final class KeyRing<K> {

    private final String currentId;
    private final Map<String, K> byId = new TreeMap<>();

    KeyRing(String prefix, String currentId, Map<String, byte[]> keysById, BiFunction<String, byte[], K> load) {
        keysById.forEach((id, key) -> {
            if (!id.matches("[A-Za-z0-9._-]{1,32}")) {
                throw new IllegalArgumentException(
                        "Key id \"" + id + "\" must be 1 to 32 letters, digits, dots, dashes or underscores");
            }
            byId.put(prefix + id, load.apply(id, key.clone()));
        });
        if (!keysById.containsKey(currentId)) {
            throw new IllegalArgumentException("The current key \"" + currentId + "\" is not among " + byId.keySet());
        }
        this.currentId = prefix + currentId;
    }

    String currentId() {
        return currentId;
    }

    K current() {
        return get(currentId);
    }

    K get(String id) {
        K key = byId.get(id);
        if (key == null) {
            String known = String.join(", ", byId.keySet());
            throw new UnreadableResultException(
                    UNKNOWN_KEY, "Written with key \"" + id + "\", but only these are known: " + known);
        }
        return key;
    }
}
