package io.onefold.http;

import io.onefold.payload.Fingerprint;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprint of a request whose handler claims for itself: the same as that of an {@link Exchange}. Whoever reads the body for the
 * handler writes it here as well, then says that it is at its end.
 */
public final class RequestFingerprint implements AutoCloseable {
    private static final BodyMemory MEMORY = new BodyMemory(BodyMemory.standard());
    private static final Path DIRECTORY = Path.of(System.getProperty("java.io.tmpdir"));

    private final Policy policy;
    private final Head head;
    private @Nullable Spool spool;
    private @Nullable RejectedException rejection;
    private @Nullable Map<String, @Nullable Object> parts;
    private @Nullable Fingerprint whole;

    RequestFingerprint(Policy policy, Head head, BodyMemory memory, Path directory) {
        this.policy = policy;
        this.head = head;
        try {
            BodyRules rules = policy.body == null ? BodyRules.standard() : policy.body;
            spool = new Spool(rules, head, memory, directory);
            spool.expectAny();
        } catch (RejectedException e) {
            rejection = e;
        }
    }

    /** By the standard policies, where there is no contract. */
    public static RequestFingerprint standard(Head head) {
        return new RequestFingerprint(Profile.IETF.policy(), head, MEMORY, DIRECTORY);
    }

    /**
     * A piece of the body.
     *
     * @return false if there is no need to write more: the body is refused
     */
    public synchronized boolean write(byte[] bytes, int from, int length) {
        Spool into = spool;
        try {
            if (into != null) {
                into.write(bytes, from, length);
            }
        } catch (RejectedException e) {
            refuse(e);
        }
        return spool != null;
    }

    /** To be called once, after the last byte. */
    public synchronized void end() {
        Spool from = spool;
        if (from == null) {
            return;
        }
        try {
            SpooledBody body = from.done();
            Map<String, @Nullable Object> all = Identity.parts(policy, head, body);
            whole = Identity.print(all, body);
            parts = all;
        } catch (RejectedException e) {
            refuse(e);
        } finally {
            close();
        }
    }

    private void refuse(RejectedException because) {
        rejection = because;
        close();
    }

    /**
     * The fingerprint.
     *
     * @param more what counts besides, under names of its own
     * @return null if the body has not come to its end
     * @throws RejectedException if the body is refused
     */
    public synchronized @Nullable Fingerprint with(Map<String, ? extends @Nullable Object> more)
            throws RejectedException {
        if (rejection != null) {
            throw rejection;
        }
        if (parts == null || more.isEmpty()) {
            return whole;
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(parts);
        all.putAll(more);
        return Identity.print(all);
    }

    /** Gives up the body; what was taken of it stays. */
    @Override
    public synchronized void close() {
        if (spool != null) {
            spool.close();
            spool = null;
        }
    }
}
