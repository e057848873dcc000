package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class RedisClusterTest {
    private static final RedisCluster CLUSTER = RedisCluster.start();

    @AfterAll
    static void close() {
        CLUSTER.close();
        for (RedisServer server : CLUSTER.servers()) {
            assertThat(server.home()).doesNotExist();
            assertThat(ServerProcesses.of(server)).isEmpty();
        }
    }

    @Test
    void all_nodes_know_each_other_and_every_master_has_a_replica() {
        CLUSTER.awaitOk();
        assertThat(CLUSTER.ports()).hasSize(6).doesNotHaveDuplicates();
        assertThat(CLUSTER.masters()).hasSize(3);
        for (int port : CLUSTER.ports()) {
            assertThat(CLUSTER.command(port, "CLUSTER", "INFO"))
                    .contains("cluster_state:ok", "cluster_slots_ok:16384", "cluster_known_nodes:6", "cluster_size:3");
        }
        for (int port : CLUSTER.masters()) {
            assertThat(CLUSTER.command(port, "INFO", "replication")).contains("role:master", "connected_slaves:1");
        }
    }

    @Test
    void the_master_of_a_key_takes_it_and_others_name_that_master() {
        int master = CLUSTER.masterOf("key");
        assertThat(CLUSTER.command(master, "SET", "key", "value")).isEqualTo("OK");

        for (int other : CLUSTER.masters()) {
            if (other != master) {
                assertThatThrownBy(() -> CLUSTER.command(other, "GET", "key"))
                        .hasMessageStartingWith("MOVED")
                        .hasMessageEndingWith(":" + master);
            }
        }
    }

    @Test
    void a_killed_master_is_replaced_by_its_replica_and_comes_back_as_one() {
        int killed = CLUSTER.masterOf("kept");
        CLUSTER.command(killed, "SET", "kept", "value");
        CLUSTER.command(killed, "WAIT", "1", "0");

        CLUSTER.kill(killed);
        CLUSTER.awaitOk();

        int successor = CLUSTER.masterOf("kept");
        assertThat(successor).isNotEqualTo(killed);
        assertThat(CLUSTER.masters()).hasSize(3).doesNotContain(killed);
        assertThat(CLUSTER.command(successor, "GET", "kept")).isEqualTo("value");
        assertThat(CLUSTER.command(successor, "SET", "kept", "again")).isEqualTo("OK");

        CLUSTER.restart(killed);
        CLUSTER.awaitOk();
        assertThat(CLUSTER.command(killed, "INFO", "replication")).contains("role:slave", "master_link_status:up");
    }

    @Test
    void a_paused_master_is_replaced_and_learns_of_it_when_it_is_resumed() {
        int paused = CLUSTER.masterOf("held");

        CLUSTER.pause(paused);
        CLUSTER.awaitOk();
        int successor = CLUSTER.masterOf("held");
        CLUSTER.resume(paused);
        CLUSTER.awaitOk();

        assertThat(successor).isNotEqualTo(paused);
        assertThatThrownBy(() -> CLUSTER.command(paused, "SET", "held", "late"))
                .hasMessageStartingWith("MOVED")
                .hasMessageEndingWith(":" + successor);
    }

    @Test
    void a_slot_moves_with_its_keys_and_its_former_master_says_where_to() {
        int from = CLUSTER.masterOf("{moved}");
        int slot = Integer.parseInt(CLUSTER.command(from, "CLUSTER", "KEYSLOT", "{moved}"));
        int to = CLUSTER.masters().stream()
                .filter(port -> port != from)
                .findAny()
                .orElseThrow();
        List<String> keys = List.of("{moved}", "{moved} line\nbreak", "{moved}größe");
        keys.forEach(key -> CLUSTER.command(from, "SET", key, key));
        CLUSTER.command(from, "EVAL", "for i = 1, 250 do redis.call('SET', KEYS[1] .. i, i) end", "1", "{moved}");

        CLUSTER.move(slot, to);

        assertThat(CLUSTER.masterOf("{moved}")).isEqualTo(to);
        assertThatThrownBy(() -> CLUSTER.command(from, "GET", "{moved}"))
                .hasMessage("MOVED " + slot + " 127.0.0.1:" + to);
        assertThat(keys).allMatch(key -> CLUSTER.command(to, "GET", key).equals(key));
        assertThat(CLUSTER.command(to, "CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
                .isEqualTo("253");
        assertThat(CLUSTER.command(from, "CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
                .isEqualTo("0");
    }

    @Test
    void only_ports_of_nodes_are_taken() {
        assertThatThrownBy(() -> CLUSTER.kill(1)).isInstanceOf(IllegalArgumentException.class);
    }
}
