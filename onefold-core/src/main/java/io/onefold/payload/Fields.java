package io.onefold.payload;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Takes a canonical form apart into named fields, so that a conflict can tell what differs. Objects are split three
 * levels deep as long as the number of fields stays within {@link #MAX}; arrays are one field. Whatever has no name of
 * its own belongs to its parent or to {@link #REST}: no part of a payload is outside all fields.
 *
 * <p>Two payloads are compared at the granularity of the one that was stored, hence {@link #digests(Set)}.
 */
final class Fields {

    static final int MAX = 32;
    static final String BODY = "(body)";
    static final String REST = "…";

    private static final int MAX_LEVELS = 3;
    private static final int MAX_NAME = 64;

    private final byte[] canonical;
    private final int levels;
    private final boolean object;
    private final Part root;
    private int at = 2;

    Fields(byte[] canonical) {
        this.canonical = canonical;
        byte kind = canonical[1];
        this.levels = kind == Canonical.FORM ? 1 : MAX_LEVELS;
        this.object = kind != Canonical.RAW && canonical[2] == Canonical.OBJECT;
        this.root = object ? part(2, 0) : new Part(2, 2, canonical.length, Map.of());
    }

    /** A value inside the canonical form, with the start of its name, and with its members if it may be split. */
    private record Part(int named, int from, int to, Map<String, Part> members) {}

    Map<String, byte[]> digests() {
        return digests(names());
    }

    /** The digests of the fields with these names, and of everything that is not part of any of them. */
    Map<String, byte[]> digests(Set<String> names) {
        Map<String, byte[]> digests = new TreeMap<>();
        if (!object) {
            digests.put(BODY, digest(root));
            return digests;
        }
        NavigableSet<String> wanted = new TreeSet<>(names);
        MessageDigest rest = null;
        for (Map.Entry<String, Part> member : root.members.entrySet()) {
            String name = member.getKey();
            Part part = member.getValue();
            boolean listed = wanted.contains(name) || isParent(name, wanted) || !wanted.contains(REST);
            if (isName(name) && listed) {
                place(name, part, wanted, digests);
            } else {
                rest = rest == null ? start() : rest;
                rest.update(canonical, part.named, part.to - part.named);
            }
        }
        if (rest != null) {
            digests.put(REST, rest.digest());
        }
        return digests;
    }

    private void place(String path, Part part, NavigableSet<String> wanted, Map<String, byte[]> digests) {
        if (isParent(path, wanted) && canSplit(path, part)) {
            part.members.forEach((name, child) -> place(path + "." + name, child, wanted, digests));
        } else {
            digests.put(path, digest(part));
        }
    }

    private static boolean isParent(String path, NavigableSet<String> names) {
        String next = names.ceiling(path + ".");
        return next != null && next.startsWith(path + ".");
    }

    /** Level by level, so that no single object uses up all names. */
    private Set<String> names() {
        Map<String, Part> named = new LinkedHashMap<>();
        boolean rest = false;
        for (Map.Entry<String, Part> member : root.members.entrySet()) {
            boolean fits = isName(member.getKey()) && named.size() < MAX;
            rest |= !fits;
            if (fits) {
                named.put(member.getKey(), member.getValue());
            }
        }
        if (rest && named.size() == MAX) {
            named.keySet().remove(new ArrayList<>(named.keySet()).get(MAX - 1));
        }
        int free = MAX - named.size() - (rest ? 1 : 0);
        for (int level = 1; level < levels; level++) {
            for (Map.Entry<String, Part> entry : List.copyOf(named.entrySet())) {
                String path = entry.getKey();
                Part part = entry.getValue();
                if (canSplit(path, part) && part.members.size() - 1 <= free) {
                    named.remove(path);
                    part.members.forEach((name, child) -> named.put(path + "." + name, child));
                    free -= part.members.size() - 1;
                }
            }
        }
        Set<String> names = new TreeSet<>(named.keySet());
        if (rest) {
            names.add(REST);
        }
        return names;
    }

    private boolean canSplit(String path, Part part) {
        return !part.members.isEmpty()
                && part.members.keySet().stream()
                        .allMatch(name -> isName(name) && path.length() + 1 + name.length() <= MAX_NAME);
    }

    /** Names end up in logs and answers, and a dot would make two different paths look alike. */
    private boolean isName(String name) {
        return !name.isEmpty()
                && name.length() <= MAX_NAME
                && (levels == 1 || name.indexOf('.') < 0)
                && !name.equals(BODY)
                && !name.equals(REST)
                && name.codePoints()
                        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    }

    private byte[] digest(Part part) {
        MessageDigest digest = start();
        digest.update(canonical, part.from, part.to - part.from);
        return digest.digest();
    }

    private MessageDigest start() {
        MessageDigest digest = Hashes.sha256();
        digest.update(canonical, 0, 2);
        return digest;
    }

    private Part part(int named, int level) {
        int from = at;
        byte tag = canonical[at++];
        Map<String, Part> members = new LinkedHashMap<>();
        if (tag == Canonical.NUMBER) {
            skipNumber();
        } else if (tag == Canonical.TEXT) {
            text();
        } else if (tag == Canonical.LIST || tag == Canonical.SET) {
            while (canonical[at] != Canonical.END) {
                part(at, levels);
            }
            at++;
        } else if (tag == Canonical.OBJECT) {
            while (canonical[at] != Canonical.END) {
                int name = at++;
                members.put(text(), part(name, level + 1));
            }
            at++;
        }
        return new Part(named, from, at, level < levels ? members : Map.of());
    }

    private void skipNumber() {
        if (canonical[at++] != 0) {
            length();
            int digits = length();
            at += digits;
        }
    }

    /** Not the JDK's decoder, which would read every lone surrogate as the same character. */
    private String text() {
        int units = length();
        StringBuilder text = new StringBuilder(units);
        while (text.length() < units) {
            int lead = canonical[at++] & 0xFF;
            int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
            int code = more == 0 ? lead : lead & (0x3F >> more);
            for (int i = 0; i < more; i++) {
                code = (code << 6) | (canonical[at++] & 0x3F);
            }
            text.appendCodePoint(code);
        }
        return text.toString();
    }

    private int length() {
        int value = 0;
        int shift = 0;
        int b;
        do {
            b = canonical[at++];
            value |= (b & 0x7F) << shift;
            shift += 7;
        } while (b < 0);
        return value;
    }
}
