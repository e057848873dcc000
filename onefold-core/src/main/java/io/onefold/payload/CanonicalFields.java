package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes a canonical form apart into named fields, so that a conflict can tell what differs. Objects are split three
 * levels deep as long as the number of fields stays within {@link #MAX}; arrays are one field. Whatever has no name of
 * its own belongs to its parent or to {@link #REST}: no part of a payload is outside all fields.
 *
 * <p>Two payloads are compared at the granularity of the one that was stored.
 */
final class CanonicalFields {

    static final int MAX = 32;
    static final String BODY = "(body)";
    static final String REST = "…";

    /** A short value stands for itself, so that it is hashed only once, with its salt: in the one block that this leaves room for. */
    private static final int SHORT = 47;

    private static final int START = 2;
    private static final int MAX_NAME = 64;

    private final byte[] canonical;
    private final int levels;
    /** Begins anew after each digest. */
    private final MessageDigest hash = HashFunctions.start();

    CanonicalFields(byte[] canonical) {
        this.canonical = canonical;
        this.levels = canonical[1] == CanonicalForm.FORM ? 1 : 3;
    }

    /** A member from the start of its name to the end of its value; the path is empty if it cannot be named. */
    private record CanonicalMember(String path, int from, int value, int to) {

        boolean isNamed() {
            return !path.isEmpty();
        }
    }

    /**
     * The digests of all fields, or what is shorter than one, at the granularity of these names, or else at the finest
     * that fits: level by level, so that no single object uses up all names.
     */
    Map<String, byte[]> digests(@Nullable NavigableSet<String> like) {
        Map<String, byte[]> digests = new LinkedHashMap<>();
        if (canonical[1] == CanonicalForm.RAW || canonical[START] != '{') {
            digests.put(BODY, digest(START, canonical.length));
            return digests;
        }
        List<CanonicalMember> all = members("", START);
        List<CanonicalMember> named = new ArrayList<>();
        boolean crowded = all.size() > MAX || !named(all);
        int most = crowded ? MAX - 1 : MAX;
        List<CanonicalMember> rest = new ArrayList<>(0);
        for (CanonicalMember member : all) {
            boolean listed = like == null
                    ? named.size() < most
                    : !like.contains(REST) || like.contains(member.path) || isParent(member.path, like);
            if (listed && member.isNamed()) {
                named.add(member);
            } else {
                rest.add(member);
            }
        }
        if (!rest.isEmpty()) {
            digests.put(REST, together(rest));
        }
        for (int level = 1; level < levels; level++) {
            int free = most - named.size();
            List<CanonicalMember> finer = new ArrayList<>();
            for (CanonicalMember member : named) {
                List<CanonicalMember> parts = split(member);
                boolean splits = like == null ? parts.size() - 1 <= free : isParent(member.path, like);
                if (splits && !parts.isEmpty()) {
                    finer.addAll(parts);
                    free -= parts.size() - 1;
                } else {
                    finer.add(member);
                }
            }
            named = finer;
        }
        for (CanonicalMember member : named) {
            digests.put(member.path, digest(member.value, member.to));
        }
        return digests;
    }

    private static boolean isParent(String path, NavigableSet<String> names) {
        String next = names.ceiling(path + ".");
        return next != null && next.startsWith(path + ".");
    }

    /** The members of a member, unless there are none or one of them cannot be named. */
    private List<CanonicalMember> split(CanonicalMember member) {
        if (canonical[member.value] != '{') {
            return List.of();
        }
        List<CanonicalMember> parts = members(member.path + ".", member.value);
        return named(parts) ? parts : List.of();
    }

    private static boolean named(List<CanonicalMember> members) {
        for (CanonicalMember member : members) {
            if (!member.isNamed()) {
                return false;
            }
        }
        return true;
    }

    private List<CanonicalMember> members(String prefix, int object) {
        List<CanonicalMember> members = new ArrayList<>();
        for (int at = object + 1; canonical[at] != CanonicalForm.END; ) {
            int value = skip(at);
            int to = skip(value);
            String name = new String(canonical, at + 5, value - at - 5, UTF_8);
            members.add(new CanonicalMember(canName(prefix, name) ? prefix + name : "", at, value, to));
            at = to;
        }
        return members;
    }

    /** Names end up in logs and answers, and a dot would make two different paths look alike. */
    private boolean canName(String prefix, String name) {
        return !name.isEmpty()
                && prefix.length() + name.length() <= MAX_NAME
                && (levels == 1 || name.indexOf('.') < 0)
                && !name.equals(BODY)
                && !name.equals(REST)
                && isPrintable(name);
    }

    private static boolean isPrintable(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isISOControl(c) || c == '\uFFFD') {
                return false;
            }
        }
        return true;
    }

    /** Returns the end of the value (or name) that starts here. */
    private int skip(int from) {
        int at = from + 1;
        int tag = "ntf\"#[<{".indexOf(canonical[from]);
        if (tag < 3) {
            return at;
        }
        if (tag == 3) {
            return at + 4 + lengthAt(at);
        }
        while (canonical[at] != CanonicalForm.END) {
            at = tag == 4 ? at + 1 : skip(at);
        }
        return at + 1;
    }

    private int lengthAt(int at) {
        int length = 0;
        for (int i = at; i < at + 4; i++) {
            length = length << 8 | (canonical[i] & 0xFF);
        }
        return length;
    }

    private byte[] together(List<CanonicalMember> members) {
        hash.update(canonical, 0, START);
        for (CanonicalMember member : members) {
            hash.update(canonical, member.from, member.to - member.from);
        }
        return hash.digest();
    }

    private byte[] digest(int from, int to) {
        int length = START + to - from;
        if (length <= SHORT) {
            byte[] itself = Arrays.copyOf(canonical, length);
            System.arraycopy(canonical, from, itself, START, to - from);
            return itself;
        }
        hash.update(canonical, 0, START);
        hash.update(canonical, from, to - from);
        return hash.digest();
    }
}
