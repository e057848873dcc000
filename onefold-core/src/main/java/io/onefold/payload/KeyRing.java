package io.onefold.payload;

import static io.onefold.payload.UnreadableResultException.Reason.UNKNOWN_KEY;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The key to write with and all keys that may still be read with. */
final class KeyRing<K> {

    private final String currentId;
    private final K current;
    private final Map<String, K> byId = new TreeMap<>();

    KeyRing(String currentId, Map<String, byte[]> keysById, BiFunction<String, byte[], K> load) {
        keysById.forEach((id, key) -> {
            if (!id.matches("[A-Za-z0-9._-]{1,32}")) {
                throw new IllegalArgumentException(
                        "Key id \"" + id + "\" must be 1 to 32 letters, digits, dots, dashes or underscores");
            }
            byId.put(id, load.apply(id, key.clone()));
        });
        K found = byId.get(currentId);
        if (found == null) {
            throw new IllegalArgumentException("The current key \"" + currentId + "\" is not among " + byId.keySet());
        }
        this.currentId = currentId;
        this.current = found;
    }

    static Hashes.Hmac hmac(String id, byte[] key) {
        if (key.length < 16) {
            throw new IllegalArgumentException(
                    "Key \"" + id + "\" has " + key.length + " bytes; HMAC needs 16 or more");
        }
        return new Hashes.Hmac(key);
    }

    String currentId() {
        return currentId;
    }

    K current() {
        return current;
    }

    K get(String id) {
        return get("", id);
    }

    /** For ids that are stored behind the prefix of their algorithm. */
    K get(String prefix, String id) {
        K key = id.startsWith(prefix) ? byId.get(id.substring(prefix.length())) : null;
        if (key == null) {
            String known = byId.keySet().stream().map(prefix::concat).collect(Collectors.joining(", "));
            throw new UnreadableResultException(
                    UNKNOWN_KEY, "Written with key \"" + id + "\", but only these are known: " + known);
        }
        return key;
    }
}
