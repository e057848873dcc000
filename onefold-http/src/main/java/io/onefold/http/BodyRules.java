package io.onefold.http;

import java.util.List;

/**
 * Limits the size of a body, and selects the part of it that is compared (H10 to H15). Immutable; each method returns a changed copy.
 *
 * <p>JSON and forms are compared by their values, not by their spelling. A body that is broken, ambiguous, or larger than what is held in
 * memory is compared by its bytes instead: then the slightest change makes it a different body, and {@link #only} and {@link #ignoring} do
 * not apply.
 */
public final class BodyRules {
    private static final BodyRules STANDARD = new BodyRules(
            10 << 20, 1 << 20, BodyComparison.CANONICAL, List.of(), List.of(), MultipartHandling.PARTS, false);

    final long max;
    final int memory;
    final BodyComparison compare;
    final List<String> only;
    final List<String> ignoring;
    final MultipartHandling multipart;
    final boolean wireBytes;

    private BodyRules(
            long max,
            int memory,
            BodyComparison compare,
            List<String> only,
            List<String> ignoring,
            MultipartHandling multipart,
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

    /** The default rules: at most 10 MiB, of which 1 MiB in memory; the whole body is compared. */
    public static BodyRules standard() {
        return STANDARD;
    }

    /** Sets the most bytes that a body may have, both as it is sent and after decoding. A larger body is rejected (413). */
    public BodyRules max(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("max must not be negative, as " + bytes + " is");
        }
        return new BodyRules(bytes, memory, compare, only, ignoring, multipart, wireBytes);
    }

    /** Sets how many bytes of a body are held in memory. A larger body goes to a temporary file that only the owner may read. */
    public BodyRules memory(int bytes) {
        if (bytes < 0 || bytes > 1 << 30) {
            throw new IllegalArgumentException("memory must be between 0 and 1 GiB, not " + bytes);
        }
        return new BodyRules(max, bytes, compare, only, ignoring, multipart, wireBytes);
    }

    public BodyRules compare(BodyComparison how) {
        return new BodyRules(max, memory, how, only, ignoring, multipart, wireBytes);
    }

    /**
     * Compares only these members, replacing those of an earlier call. A body that has none of them is rejected.
     *
     * @param paths none for all; as in {@link io.onefold.payload.Fingerprinter#only}; for a form, names of fields
     */
    public BodyRules only(String... paths) {
        return new BodyRules(max, memory, compare, checked("only", paths), ignoring, multipart, wireBytes);
    }

    /** Leaves these members out of the comparison, replacing those of an earlier call. */
    public BodyRules ignoring(String... paths) {
        return new BodyRules(max, memory, compare, only, checked("ignoring", paths), multipart, wireBytes);
    }

    public BodyRules multipart(MultipartHandling how) {
        return new BodyRules(max, memory, compare, only, ignoring, how, wireBytes);
    }

    /** If true, compares a compressed body as it was sent, and never decompresses it here. */
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
            if (compare != BodyComparison.CANONICAL) {
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

    /** The test for two bodies being the same. */
    public enum BodyComparison {
        /** Their values are equal: the order of members and the notation of numbers do not matter. */
        CANONICAL,
        /** Their bytes are equal after decoding. */
        RAW,
        /** Any two bodies are the same. */
        NONE
    }

    /** The treatment of multipart bodies. */
    public enum MultipartHandling {
        /** Two bodies are the same if their parts are. The boundary, which clients choose anew for each attempt, does not matter. */
        PARTS,
        /** Two bodies are the same if their bytes are equal. */
        RAW,
        /** Multipart bodies are rejected (415). */
        REJECT
    }
}
