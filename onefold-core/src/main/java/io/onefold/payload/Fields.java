package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.ArrayList;
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

    private static final int START = 2;
    private static final int MAX_NAME = 64;

    private final byte[] canonical;
    private final int levels;

    Fields(byte[] canonical) {
        this.canonical = canonical;
        this.levels = canonical[1] == Canonical.FORM ? 1 : 3;
    }

    /** A member from the start of its name to the end of its value; the path is empty if it cannot be named. */
    private record Member(String path, int from, int value, int to) {

        boolean isNamed() {
            return !path.isEmpty();
        }
    }

    Map<String, byte[]> digests() {
        return digests(names());
    }

    /** The digests of the fields with these names, and of everything that is not part of any of them. */
    Map<String, byte[]> digests(Set<String> names) {
        Map<String, byte[]> digests = new TreeMap<>();
        if (!isObject()) {
            digests.put(BODY, digest(START, canonical.length));
            return digests;
        }
        NavigableSet<String> wanted = new TreeSet<>(names);
        MessageDigest rest = null;
        for (Member member : members("", START)) {
            boolean listed = wanted.contains(member.path) || isParent(member.path, wanted) || !wanted.contains(REST);
            if (member.isNamed() && listed) {
                place(member, wanted, digests);
            } else {
                rest = rest == null ? start() : rest;
                rest.update(canonical, member.from, member.to - member.from);
            }
        }
        if (rest != null) {
            digests.put(REST, rest.digest());
        }
        return digests;
    }

    private void place(Member member, NavigableSet<String> wanted, Map<String, byte[]> digests) {
        List<Member> parts = isParent(member.path, wanted) ? split(member) : List.of();
        if (parts.isEmpty()) {
            digests.put(member.path, digest(member.value, member.to));
        }
        parts.forEach(part -> place(part, wanted, digests));
    }

    private static boolean isParent(String path, NavigableSet<String> names) {
        String next = names.ceiling(path + ".");
        return next != null && next.startsWith(path + ".");
    }

    /** Level by level, so that no single object uses up all names. */
    private Set<String> names() {
        List<Member> all = isObject() ? members("", START) : List.of();
        List<Member> named = all.stream().filter(Member::isNamed).toList();
        boolean rest = named.size() < all.size() || named.size() > MAX;
        int most = rest ? MAX - 1 : MAX;
        named = named.subList(0, Math.min(most, named.size()));
        for (int level = 1; level < levels; level++) {
            List<Member> finer = new ArrayList<>();
            int free = most - named.size();
            for (Member member : named) {
                List<Member> parts = split(member);
                boolean fits = !parts.isEmpty() && parts.size() - 1 <= free;
                free -= fits ? parts.size() - 1 : 0;
                finer.addAll(fits ? parts : List.of(member));
            }
            named = finer;
        }
        Set<String> names = new TreeSet<>(rest ? Set.of(REST) : Set.of());
        named.forEach(member -> names.add(member.path));
        return names;
    }

    /** The members of a member, unless there are none or one of them cannot be named. */
    private List<Member> split(Member member) {
        if (canonical[member.value] != '{') {
            return List.of();
        }
        List<Member> parts = members(member.path + ".", member.value);
        return parts.stream().allMatch(Member::isNamed) ? parts : List.of();
    }

    private List<Member> members(String prefix, int object) {
        List<Member> members = new ArrayList<>();
        for (int at = object + 1; canonical[at] != Canonical.END; ) {
            int value = skip(at);
            int to = skip(value);
            String name = new String(canonical, at + 1, value - at - 2, UTF_8);
            members.add(new Member(canName(prefix, name) ? prefix + name : "", at, value, to));
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
                && name.chars().noneMatch(c -> Character.isISOControl(c) || c == '\uFFFD');
    }

    private boolean isObject() {
        return canonical[1] != Canonical.RAW && canonical[START] == '{';
    }

    /** Where the value (or name) that starts here ends. */
    private int skip(int from) {
        int at = from + 1;
        switch (canonical[from]) {
            case '"', '#' -> {
                while (canonical[at] != Canonical.END) {
                    at++;
                }
                return at + 1;
            }
            case '[', '<', '{' -> {
                while (canonical[at] != Canonical.END) {
                    at = skip(at);
                }
                return at + 1;
            }
            default -> {
                return at;
            }
        }
    }

    private byte[] digest(int from, int to) {
        MessageDigest digest = start();
        digest.update(canonical, from, to - from);
        return digest.digest();
    }

    private MessageDigest start() {
        MessageDigest digest = Hashes.start();
        digest.update(canonical, 0, START);
        return digest;
    }
}
