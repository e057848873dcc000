package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RabbitServerTest {
    @Test
    void a_broker_is_there_whatever_is_installed() {
        RabbitServer server = RabbitServer.shared();

        assertThat(Amqp.answers(server.host(), server.port())).isTrue();
        assertThat(server.toString()).contains(server.kind()).contains(":" + server.port());
    }

    @Test
    void one_that_is_started_here_takes_all_its_processes_with_it() {
        Path program = RabbitProcess.installed();
        if (program == null) {
            return; // the stand-in has no process
        }
        RabbitProcess server = RabbitProcess.start(program);
        List<ProcessHandle> all = new ArrayList<>();
        ProcessHandle.of(server.pid()).ifPresent(all::add);
        all.addAll(all.get(0).descendants().toList());
        List<String> commands =
                all.stream().map(each -> each.info().command().orElse("")).toList();

        server.close();
        assertThat(commands).as("the node and its port mapper").anyMatch(each -> each.endsWith("epmd"));
        assertThat(all).allMatch(Processes::isGone);
        assertThat(server.home()).doesNotExist();
    }

    @Test
    void the_stand_in_speaks_amqp() {
        assertThat(Amqp.answers("127.0.0.1", QpidBroker.start("guest", "guest")))
                .isTrue();
    }

    @Test
    void an_address_has_all_it_takes() {
        RabbitServer server = RabbitServer.at(URI.create("amqp://me:a%2Fb+c@broker:5673/my%2Fhost"));

        assertThat(server.host()).isEqualTo("broker");
        assertThat(server.port()).isEqualTo(5673);
        assertThat(server.user()).isEqualTo("me");
        assertThat(server.password()).isEqualTo("a/b+c");
        assertThat(server.virtualHost()).isEqualTo("my/host");
        assertThat(server.toString()).doesNotContain("a/b+c");
    }

    @Test
    void what_an_address_leaves_out_is_as_usual() {
        RabbitServer server = RabbitServer.at(URI.create("amqp://broker"));

        assertThat(server.port()).isEqualTo(5672);
        assertThat(server.user()).isEqualTo("guest");
        assertThat(server.password()).isEqualTo("guest");
        assertThat(server.virtualHost()).isEqualTo("/");
    }

    @Test
    void what_is_no_address_is_refused_with_one_that_is() {
        assertThatThrownBy(() -> RabbitServer.at(URI.create("http://broker")))
                .hasMessageContaining("ONEFOLD_TEST_RABBITMQ must look like amqp://");
    }
}
