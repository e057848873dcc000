package io.onefold.store;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A payload's fingerprint as it is stored, opaque to every store: the hash of the whole, and the salted hashes of its fields. Both
 * are made on demand, for only the first execution writes them.
 */
public final class StoredFingerprint {
    /** The fingerprint of a request that came without a payload to compare. */
    public static final StoredFingerprint NONE = of(() -> null, () -> null);

    private final Supplier<byte @Nullable []> hash;
    private final Supplier<byte @Nullable []> fields;

    private StoredFingerprint(Supplier<byte @Nullable []> hash, Supplier<byte @Nullable []> fields) {
        this.hash = hash;
        this.fields = fields;
    }

    public static StoredFingerprint of(Supplier<byte @Nullable []> hash, Supplier<byte @Nullable []> fields) {
        return new StoredFingerprint(hash, fields);
    }

    public byte @Nullable [] hash() {
        return hash.get();
    }

    public byte @Nullable [] fields() {
        return fields.get();
    }
}
