package io.onefold.payload;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes fingerprints of payloads. The order of members, white space, escapes and the notation of numbers do not matter
 * ({@code 1}, {@code 1.0} and {@code 1e0} are one number, and no digit is ever rounded away); a member that is null
 * differs from one that is absent. A Java value has the fingerprint of its JSON, except that a {@link Set} has no order
 * and equals no array.
 *
 * <p>Paths are dotted member names that look through arrays: {@code items.sku} is the sku of every item. They apply to
 * JSON, forms and values; a raw body is always compared as a whole.
 */
public final class Fingerprinter {

    private static final int MAX_DEPTH = 64;
    private static final int MAX_BYTES = 1 << 20;
    private static final Fingerprinter STANDARD = new Fingerprinter(Set.of(), Set.of(), MAX_DEPTH, MAX_BYTES);

    private final Set<String> only;
    private final Set<String> ignoring;
    private final FieldSelection selection;
    private final int maxDepth;
    private final int maxBytes;

    private Fingerprinter(Set<String> only, Set<String> ignoring, int maxDepth, int maxBytes) {
        this.only = only;
        this.ignoring = ignoring;
        this.selection = FieldSelection.of(only, ignoring);
        this.maxDepth = maxDepth;
        this.maxBytes = maxBytes;
    }

    /** Everything counts; at most 64 levels and 1 MiB. */
    public static Fingerprinter standard() {
        return STANDARD;
    }

    /** Only these paths (in addition to those of earlier calls) count. A payload that has none of them is refused. */
    public Fingerprinter only(String... paths) {
        return new Fingerprinter(plus("only", only, paths), ignoring, maxDepth, maxBytes).checked();
    }

    /** These paths do not count. */
    public Fingerprinter ignoring(String... paths) {
        return new Fingerprinter(only, plus("ignoring", ignoring, paths), maxDepth, maxBytes).checked();
    }

    public Fingerprinter maxDepth(int levels) {
        if (levels < 1 || levels > 1_000) {
            throw new IllegalArgumentException("maxDepth must be between 1 and 1000, not " + levels);
        }
        return new Fingerprinter(only, ignoring, levels, maxBytes);
    }

    /** Limits the JSON or form text, and the canonical form of values. */
    public Fingerprinter maxBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxBytes must be positive, not " + bytes);
        }
        return new Fingerprinter(only, ignoring, maxDepth, bytes);
    }

    /**
     * Returns the fingerprint of a JSON text in UTF-8.
     *
     * @throws MalformedPayloadException if it is not strict JSON within the limits
     */
    public Fingerprint json(byte[] utf8) {
        Object tree = JsonReader.read(utf8, maxDepth, maxBytes);
        return canonical(CanonicalForm.TREE, tree, Integer.MAX_VALUE);
    }

    public Fingerprint json(String text) {
        return json(Utf8.encode(text));
    }

    /** A body of type {@code application/x-www-form-urlencoded}. The order of values matters within one name only. */
    public Fingerprint form(String urlEncoded) {
        return form(FormReader.read(urlEncoded, maxBytes), Integer.MAX_VALUE);
    }

    public Fingerprint form(Map<String, List<String>> fields) {
        return form(fields, maxBytes);
    }

    private Fingerprint form(Map<String, List<String>> fields, int limit) {
        // A name without values cannot be told from an absent one in a request.
        Map<String, List<String>> present = new TreeMap<>(fields);
        present.values().removeIf(List::isEmpty);
        return canonical(CanonicalForm.FORM, present, limit);
    }

    public Fingerprint bytes(byte[] body) {
        return digest(HashFunctions.sha256(body));
    }

    /** For a body that was hashed while it streamed by; the same as {@link #bytes} of that body. */
    public Fingerprint digest(byte[] sha256) {
        if (sha256.length != HashFunctions.LENGTH) {
            throw new IllegalArgumentException("A SHA-256 digest has 32 bytes, not " + sha256.length);
        }
        return new Fingerprint(HashFunctions.concat(new byte[] {CanonicalForm.VERSION, CanonicalForm.RAW}, sha256));
    }

    /**
     * Returns the fingerprint of null, booleans, numbers, text, bytes, enums, records, maps, collections, arrays,
     * Optional, UUID, URI, Locale, Currency, java.time, and any nesting of these.
     *
     * @throws IllegalArgumentException naming the type and its path, if there is any other value inside
     */
    public Fingerprint value(@Nullable Object value) {
        return canonical(CanonicalForm.TREE, value, maxBytes);
    }

    private Fingerprint canonical(byte kind, @Nullable Object value, int limit) {
        return new Fingerprint(CanonicalForm.of(kind, value, selection, maxDepth, limit));
    }

    private static Set<String> plus(String setting, Set<String> known, String... paths) {
        if (paths.length == 0) {
            throw new IllegalArgumentException(setting + "() needs at least one path");
        }
        Set<String> all = new LinkedHashSet<>(known);
        for (String path : paths) {
            if (("." + path + ".").contains("..")) {
                throw new IllegalArgumentException(setting + "(\"" + path + "\") has an empty step in its path");
            }
            all.add(path);
        }
        return all;
    }

    private Fingerprinter checked() {
        for (String path : only) {
            for (String ignored : ignoring) {
                if ((path + ".").startsWith(ignored + ".")) {
                    throw new IllegalArgumentException(
                            "only(\"" + path + "\") and ignoring(\"" + ignored + "\") contradict each other");
                }
            }
        }
        return this;
    }
}
