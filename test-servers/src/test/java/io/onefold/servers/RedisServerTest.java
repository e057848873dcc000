package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class RedisServerTest {
    private static final RedisServer SERVER = RedisServer.start();

    @AfterAll
    static void close() {
        SERVER.close();
        assertThat(SERVER.home()).doesNotExist();
        assertThat(ServerProcesses.of(SERVER)).isEmpty();
    }

    @Test
    void it_answers_on_its_address_and_keeps_everything_in_memory() {
        assertThat(SERVER.uri()).isEqualTo("redis://" + SERVER.host() + ":" + SERVER.port());
        assertThat(SERVER.info("server", "redis_version")).isEqualTo("7.0.15");
        assertThat(SERVER.command("CONFIG", "GET", "save")).isEqualTo("save\n");
        assertThat(SERVER.command("CONFIG", "GET", "appendonly")).isEqualTo("appendonly\nno");
        assertThat(SERVER.command("CONFIG", "GET", "maxmemory-policy")).isEqualTo("maxmemory-policy\nnoeviction");
    }

    @Test
    void replies_of_every_kind_are_text_and_errors_are_thrown() {
        assertThat(SERVER.command("SET", "größe", " naïve\r\ntext ")).isEqualTo("OK");
        assertThat(SERVER.command("GET", "größe")).isEqualTo(" naïve\r\ntext ");
        assertThat(SERVER.command("STRLEN", "größe")).isEqualTo("14");
        assertThat(SERVER.command("GET", "absent")).isEqualTo("(nil)");
        assertThat(SERVER.command("EVAL", "return {1, {'two'}, 'three'}", "0")).isEqualTo("1\ntwo\nthree");
        assertThatThrownBy(() -> SERVER.command("INCR", "größe"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not an integer");
    }

    @Test
    void a_killed_server_forgets_its_data() {
        try (RedisServer server = RedisServer.start()) {
            server.command("SET", "key", "value");
            int port = server.port();

            server.kill();
            assertThatThrownBy(() -> server.command("PING")).isInstanceOf(UncheckedIOException.class);
            assertThat(ServerProcesses.of(server)).isEmpty();
            server.restart();

            assertThat(server.port()).isEqualTo(port);
            assertThat(server.command("GET", "key")).isEqualTo("(nil)");
        }
    }

    @Test
    void a_killed_server_with_a_log_of_commands_has_kept_its_data() {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            server.command("SET", "key", "value");

            server.kill();
            server.restart();

            assertThat(server.command("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void a_running_server_can_be_restarted() {
        try (RedisServer server = RedisServer.start("--maxmemory-policy", "allkeys-lru")) {
            long first = server.pid();

            server.restart();

            assertThat(server.pid()).isNotEqualTo(first);
            assertThat(server.command("CONFIG", "GET", "maxmemory-policy")).endsWith("allkeys-lru");
        }
    }

    @Test
    void a_paused_server_answers_when_it_is_resumed() throws Exception {
        SERVER.pause();
        CompletableFuture<String> reply =
                CompletableFuture.supplyAsync(() -> SERVER.command("ECHO", "late"), task -> new Thread(task).start());
        assertThatThrownBy(() -> reply.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        SERVER.resume();

        assertThat(reply.get(30, TimeUnit.SECONDS)).isEqualTo("late");
    }

    @Test
    void a_paused_or_killed_server_can_be_closed() {
        RedisServer pausedOne = RedisServer.start();
        pausedOne.pause();
        pausedOne.close();
        RedisServer killedOne = RedisServer.start();
        killedOne.kill();
        killedOne.close();

        assertThat(pausedOne.home()).doesNotExist();
        assertThat(killedOne.home()).doesNotExist();
        assertThat(ServerProcesses.of(pausedOne)).isEmpty();
    }

    @Test
    void options_that_the_server_does_not_know_are_named() {
        assertThatThrownBy(() -> RedisServer.start("--no-such-option", "1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-option");
    }

    @Test
    void the_shared_one_is_one() {
        assertThat(RedisServer.shared()).isSameAs(RedisServer.shared());
    }

    @Test
    void only_a_secured_server_has_users() {
        assertThatThrownBy(SERVER::user).isInstanceOf(IllegalStateException.class);
    }
}
