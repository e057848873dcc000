package io.onefold.servers;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A node of a cluster as one of the nodes sees it.
 *
 * @param masterId the master of a replica, else a dash
 * @param ranges the slots of a master, single ones as {@code 7} and others as {@code 0-6}
 */
record ClusterNode(String id, int port, Set<String> flags, String masterId, List<String> ranges) {
    private static final int FIXED_FIELDS = 8;

    /** Reads what CLUSTER NODES replies. */
    static List<ClusterNode> parse(String reply) {
        return reply.lines().map(ClusterNode::parseLine).toList();
    }

    boolean isMaster() {
        return flags.contains("master") && !ranges.isEmpty();
    }

    /** Whether the node that sees it has had no answer for too long. */
    boolean isMissed() {
        return flags.contains("fail") || flags.contains("fail?");
    }

    boolean isMet() {
        return !flags.contains("handshake");
    }

    boolean holds(int slot) {
        return ranges.stream().anyMatch(range -> {
            String[] ends = range.split("-", -1);
            return Integer.parseInt(ends[0]) <= slot && slot <= Integer.parseInt(ends[ends.length - 1]);
        });
    }

    Duty duty() {
        return new Duty(id, masterId, ranges);
    }

    /** What all nodes must agree on: the flags also say who is asked and who is missed by whom. */
    record Duty(String id, String masterId, List<String> ranges) {}

    /** Such as {@code id 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-5460}; slots that move follow in brackets. */
    private static ClusterNode parseLine(String line) {
        String[] fields = line.split(" ", -1);
        String port = fields[1].substring(fields[1].indexOf(':') + 1, fields[1].indexOf('@'));
        return new ClusterNode(
                fields[0],
                Integer.parseInt(port),
                Set.of(fields[2].split(",", -1)),
                fields[3],
                Stream.of(fields)
                        .skip(FIXED_FIELDS)
                        .filter(range -> !range.startsWith("["))
                        .toList());
    }
}
