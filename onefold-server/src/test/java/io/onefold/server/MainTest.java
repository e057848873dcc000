package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void the_demo_tells_its_story_and_every_line_holds() {
        assertThat(run("demo", "--once")).isEqualTo(Main.OK);
        assertThat(out.toString(UTF_8))
                .contains("charged 10 times", "1 copy ran, 9 had the answer replayed", "[cents]")
                .containsSubsequence(
                        "was killed", "come back", "UNKNOWN, and runs nothing", "SUCCESS", "once: Replayed")
                .doesNotContain("FAILED");
    }

    @Test
    void the_demo_leaves_nothing_behind() {
        assertThat(run("demo")).isEqualTo(Main.OK);
        Matcher directory = Pattern.compile("are in (.*) until the end").matcher(out.toString(UTF_8));
        assertThat(directory.find()).isTrue();
        assertThat(Path.of(directory.group(1))).doesNotExist();
    }

    @Test
    void the_process_to_be_killed_ends_by_itself_when_nobody_is_left_to_kill_it(@TempDir Path directory)
            throws Exception {
        Process child = LostOwner.start(directory);
        assertThat(LostOwner.tells(child)).isTrue();
        child.getOutputStream().close();
        assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
        try (Checkout checkout = Checkout.in(directory)) {
            assertThat(checkout.onefold().find(Checkout.CHARGE, Checkout.key(LostOwner.ORDER)))
                    .map(StoredRecord::status)
                    .as("not even then did the work return")
                    .contains(Status.PROCESSING);
            assertThat(checkout.shop().charges(LostOwner.ORDER)).isEqualTo(1);
        }
    }

    @Test
    void the_hidden_command_is_not_for_people() {
        assertThat(run("demo-child")).isEqualTo(Main.MISUSED);
        assertThat(err.toString(UTF_8)).contains("for the demo to call");
    }

    @Test
    void a_line_that_does_not_hold_fails_the_story() {
        Story story = new Story(new PrintStream(out, true, UTF_8));
        story.line(true, "this holds");
        assertThat(story.held()).isTrue();
        story.line(false, "this does not");
        story.line(true, "this holds again");
        story.end("all held");
        assertThat(story.held()).isFalse();
        assertThat(out.toString(UTF_8))
                .contains("FAILED  this does not", "Not every line held")
                .doesNotContain("all held");
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
