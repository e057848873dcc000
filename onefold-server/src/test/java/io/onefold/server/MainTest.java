package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void the_hidden_command_is_not_for_people() {
        assertThat(run("demo-shop")).isEqualTo(Main.MISUSED);
        assertThat(err.toString(UTF_8)).contains("for the demo to call");
    }

    @Test
    void an_unknown_command_is_named_together_with_those_there_are() {
        assertThat(run("dmeo")).isEqualTo(Main.MISUSED);
        assertThat(err.toString(UTF_8)).contains("\"dmeo\"", "demo and help");
    }

    @Test
    void an_unknown_option_is_named_together_with_those_there_are() {
        assertThat(run("demo", "--twice")).isEqualTo(Main.MISUSED);
        assertThat(err.toString(UTF_8)).contains("\"--twice\"", "--once");
    }

    @Test
    void help_is_what_one_gets_without_a_command() {
        assertThat(run()).isEqualTo(Main.OK);
        assertThat(out.toString(UTF_8)).contains("Usage: onefold <command>");
    }

    private int run(String... arguments) {
        return Main.run(List.of(arguments), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }
}
