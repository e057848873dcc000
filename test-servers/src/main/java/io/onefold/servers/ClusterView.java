package io.onefold.servers;

import java.util.Comparator;
import java.util.List;

/**
 * A cluster as one of its nodes sees it.
 *
 * @param state what CLUSTER INFO replies
 * @param isUpToDate whether the node, if a replica, has what its master has
 */
record ClusterView(String state, boolean isUpToDate, List<ClusterNode> nodes) {
    static final int SLOTS = 16_384;

    static ClusterView of(RedisServer asked) {
        try (RespClient client = asked.connect()) {
            String replication = client.text("INFO", "replication");
            return new ClusterView(
                    client.text("CLUSTER", "INFO"),
                    !RespClient.value(replication, "master_link_status").equals("down"),
                    ClusterNode.parse(client.text("CLUSTER", "NODES")));
        }
    }

    List<Integer> masters() {
        return nodes.stream()
                .filter(ClusterNode::isMaster)
                .map(ClusterNode::port)
                .toList();
    }

    ClusterNode masterOf(int slot) {
        return nodes.stream()
                .filter(node -> node.holds(slot))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no master holds slot " + slot));
    }

    boolean knows(int count) {
        return nodes.size() == count && nodes.stream().allMatch(ClusterNode::isMet);
    }

    /** Whether every slot has its master among these nodes, and none of them is missed. */
    boolean isOk(List<Integer> ports) {
        return isUpToDate
                && RespClient.value(state, "cluster_state").equals("ok")
                && RespClient.value(state, "cluster_slots_assigned").equals(Integer.toString(SLOTS))
                && ports.containsAll(masters())
                && nodes.stream().noneMatch(node -> node.isMissed() && ports.contains(node.port()));
    }

    /** What these nodes are to do: equal in all views if nobody has still to learn of a change. */
    List<ClusterNode.Duty> duties(List<Integer> ports) {
        return nodes.stream()
                .filter(node -> ports.contains(node.port()))
                .sorted(Comparator.comparing(ClusterNode::id))
                .map(ClusterNode::duty)
                .toList();
    }
}
