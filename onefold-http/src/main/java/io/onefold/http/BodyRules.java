package io.onefold.http;

import java.util.List;

/**
 * How much of a body is taken, and what of it counts (H10 to H15). Immutable; each method returns a changed copy.
 *
 * <p>JSON and forms count by what they say, not by how it is spelled. A body that is broken, ambiguous, or larger than what is held in
 * memory counts as its bytes instead: then the slightest change makes it another one, and {@link #only} and {@link #ignoring} do not
 * apply.
 */
public final class BodyRules {
    private static final BodyRules STANDARD =
            new BodyRules(10 << 20, 1 << 20, Compare.CANONICAL, List.of(), List.of(), Multipart.PARTS, false);

    final long max;
    final int memory;
    final Compare compare;
    final List<String> only;
    final List<String> ignoring;
    final Multipart multipart;
    final boolean wireBytes;

    private BodyRules(
            long max,
            int memory,
            Compare compare,
            List<String> only,
            List<String> ignoring,
            Multipart multipart,
            boolean wireBytes) {
        this.max = max;
        this.memory = memory;
        this.compare = compare;
        this.only = only;
        this.ignoring = ignoring;
        this.multipart = multipart;
        this.wireBytes = wireBytes;
        check();
    }

    /** At most 10 MiB, of which 1 MiB in memory; all of it counts. */
    public static BodyRules standard() {
        return STANDARD;
    }

    /** The most bytes that a body may have, as it is sent and after decoding. A larger one is refused (413). */
    public BodyRules max(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("max must not be negative, as " + bytes + " is");
        }
        return new BodyRules(bytes, memory, compare, only, ignoring, multipart, wireBytes);
    }

    /** How many bytes of a body are held in memory; a larger one goes to a temporary file that only the owner may read. */
    public BodyRules memory(int bytes) {
        if (bytes < 0 || bytes > 1 << 30) {
            throw new IllegalArgumentException("memory must be between 0 and 1 GiB, not " + bytes);
        }
        return new BodyRules(max, bytes, compare, only, ignoring, multipart, wireBytes);
    }

    public BodyRules compare(Compare how) {
        return new BodyRules(max, memory, how, only, ignoring, multipart, wireBytes);
    }

    /**
     * Only these members count, in place of those of an earlier call. A body that has none of them is refused.
     *
     * @param paths none for all; as in {@link io.onefold.payload.Fingerprinter#only}; of a form, names of fields
     */
    public BodyRules only(String... paths) {
        return new BodyRules(max, memory, compare, checked("only", paths), ignoring, multipart, wireBytes);
    }

    /** These members do not count, in place of those of an earlier call. */
    public BodyRules ignoring(String... paths) {
        return new BodyRules(max, memory, compare, only, checked("ignoring", paths), multipart, wireBytes);
    }

    public BodyRules multipart(Multipart how) {
        return new BodyRules(max, memory, compare, only, ignoring, how, wireBytes);
    }

    /** Whether a compressed body counts as it was sent, and is never decompressed here. */
    public BodyRules wireBytes(boolean asSent) {
        return new BodyRules(max, memory, compare, only, ignoring, multipart, asSent);
    }

    private static List<String> checked(String setting, String... paths) {
        for (String path : paths) {
            if (("." + path + ".").contains("..")) {
                throw new IllegalArgumentException(setting + "(\"" + path + "\") has an empty step in its path");
            }
        }
        return List.of(paths);
    }

    private void check() {
        for (String path : only) {
            for (String ignored : ignoring) {
                if ((path + ".").startsWith(ignored + ".")) {
                    throw contradiction("only(\"" + path + "\")", "ignoring(\"" + ignored + "\")");
                }
            }
        }
        if (!only.isEmpty() || !ignoring.isEmpty()) {
            String selection =
                    only.isEmpty() ? "ignoring(\"" + ignoring.get(0) + "\")" : "only(\"" + only.get(0) + "\")";
            if (compare != Compare.CANONICAL) {
                throw contradiction(selection, "compare(" + compare + ")");
            }
            if (wireBytes) {
                throw contradiction(selection, "wireBytes(true)");
            }
        }
    }

    private static IllegalArgumentException contradiction(String one, String other) {
        return new IllegalArgumentException(one + " and " + other + " contradict each other");
    }

    /** What makes two bodies the same. */
    public enum Compare {
        /** They say the same: the order of members and the notation of numbers do not matter. */
        CANONICAL,
        /** They are equal in every byte, after decoding. */
        RAW,
        /** Any two are. */
        NONE
    }

    /** What becomes of bodies of several parts. */
    public enum Multipart {
        /** They are the same if their parts are; the boundary, which clients draw anew for each attempt, does not matter. */
        PARTS,
        /** They are the same if they are equal in every byte. */
        RAW,
        /** They are refused (415). */
        REJECT
    }
}
