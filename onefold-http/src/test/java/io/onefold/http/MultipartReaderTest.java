package io.onefold.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartReaderTest {

    /** Names and contents, in Latin-1. */
    private static List<String> read(String boundary, InputStream in, int buffer) throws IOException {
        MultipartReader reader = new MultipartReader(in, boundary);
        List<String> parts = new ArrayList<>();
        byte[] bytes = new byte[buffer];
        for (PartHeader part = reader.next(); part != null; part = reader.next()) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            for (int now = reader.read(bytes, 0, buffer); now >= 0; now = reader.read(bytes, 0, buffer)) {
                if (now == 0) {
                    throw new AssertionError("nothing was read, yet it goes on");
                }
                content.write(bytes, 0, now);
            }
            if (reader.read(bytes, 0, buffer) >= 0) {
                throw new AssertionError("something was read after the end");
            }
            parts.add(part.name() + "=" + content.toString(ISO_8859_1));
        }
        if (reader.next() != null) {
            throw new AssertionError("a part came after the last");
        }
        return parts;
    }

    private static List<String> read(String body) throws IOException {
        return read("x", new ByteArrayInputStream(lines(body).getBytes(ISO_8859_1)), 100);
    }

    private static String lines(String text) {
        return text.replace("\n", "\r\n");
    }

    private static String part(String headers, String content) {
        return "--x\n" + headers + "\n\n" + content + "\n";
    }

    private static String named(String name, String content) {
        return part("Content-Disposition: form-data; name=\"" + name + "\"", content);
    }

    private static void refused(String body, String detail) {
        assertThatThrownBy(() -> read(body))
                .isInstanceOf(InvalidBodyException.class)
                .hasMessageContaining(detail);
    }

    @Test
    void parts_are_read_in_order() throws IOException {
        assertThat(read(named("a", "1") + named("b", "") + named("a", "3\n\n4\n") + "--x--\n"))
                .containsExactly("a=1", "b=", "a=3\r\n\r\n4\r\n");
    }

    @Test
    void what_stands_before_the_first_and_after_the_last_boundary_means_nothing() throws IOException {
        assertThat(read("before\n-- x\n" + named("a", "1") + "--x--\nafter\n--x\nmore"))
                .containsExactly("a=1");
        assertThat(read("--x--")).isEmpty();
        assertThat(read("\n--x--  \t")).isEmpty();
    }

    @Test
    void white_space_may_follow_a_boundary() throws IOException {
        assertThat(read("--x \t\nContent-Disposition: form-data; name=a\n\n1\n--x-- \n"))
                .containsExactly("a=1");
    }

    @Test
    void a_part_may_have_no_headers_at_all() throws IOException {
        assertThat(read("--x\n\n1\n--x--")).containsExactly("null=1");
    }

    @Test
    void what_only_looks_like_a_boundary_is_content() throws IOException {
        String content = "--x\r --x\n-x\n--X\n--\r\r\n--y\n--\u0000x";
        assertThat(read(named("a", content) + "--x--")).containsExactly("a=" + lines(content));
    }

    @Test
    void a_line_that_goes_on_after_the_boundary_is_refused() {
        refused(named("a", "1\n--xy") + "--x--", "CR LF");
        refused(named("a", "1") + "--x--y", "CR LF");
        refused(named("a", "1") + "--x-", "CR LF");
    }

    @Test
    void a_body_that_is_cut_off_anywhere_is_refused() throws IOException {
        String body = lines(named("a", "1") + named("b", "2") + "--x--");
        for (int length = 0; length < body.length(); length++) {
            byte[] bytes = body.substring(0, length).getBytes(ISO_8859_1);
            assertThatThrownBy(() -> read("x", new ByteArrayInputStream(bytes), 100))
                    .isInstanceOf(InvalidBodyException.class);
        }
        assertThat(read("x", new ByteArrayInputStream(body.getBytes(ISO_8859_1)), 1))
                .hasSize(2);
    }

    @Test
    void a_hundred_parts_are_read_and_no_more() throws IOException {
        assertThat(read(named("a", "1").repeat(100) + "--x--")).hasSize(100);
        refused(named("a", "1").repeat(101) + "--x--", "more than 100 parts");
        refused(named("a", "1").repeat(10_000) + "--x--", "more than 100 parts");
    }

    @Test
    void eight_kibibytes_of_headers_are_read_and_no_more() throws IOException {
        String rest = "\r\n\r\n";
        String most = "A: " + "a".repeat(MultipartReader.MAX_HEADERS - 3 - rest.length());
        assertThat(read(part(most, "1") + "--x--")).hasSize(1);
        refused(part(most + "a", "1") + "--x--", "exceed 8192 bytes");
        refused(part("A: " + "a".repeat(1 << 20), "1") + "--x--", "exceed 8192 bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no colon",
                ": a",
                "A b: c",
                " folded: a",
                "A: b\n folded",
                "A: b\u0000",
                "A: b\u007f",
                "A: b\rc",
                "Ä: b",
                "A: 1\na: 2",
                "Content-Disposition: form-data; name=a; name=b",
                "Content-Disposition: form-data; name=a; NAME=a",
                "Content-Disposition: form-data; name=\"a",
                "Content-Disposition: form-data; name=\"a\\\"",
                "Content-Disposition: ;name=a",
                "Content-Disposition:",
                "Content-Disposition: form-data, name=a",
                "Content-Disposition: form-data; name",
                "Content-Disposition: form-data; name=a\nContent-Disposition: form-data; name=b"
            })
    void headers_that_readers_might_read_differently_are_refused(String headers) {
        refused(part(headers, "1") + "--x--", "");
    }

    @Test
    void sixteen_headers_and_parameters_are_read_and_no_more() throws IOException {
        StringBuilder headers = new StringBuilder("A0: a");
        StringBuilder disposition = new StringBuilder("Content-Disposition: form-data; a0=0");
        for (int i = 1; i < 16; i++) {
            headers.append("\nA").append(i).append(": a");
            disposition.append("; a").append(i).append("=0");
        }
        assertThat(read(part(headers.toString(), "1") + "--x--")).hasSize(1);
        assertThat(read(part(disposition.toString(), "1") + "--x--")).hasSize(1);
        refused(part(headers + "\nB: b", "1") + "--x--", "more than 16 headers");
        refused(part(disposition + "; b=0", "1") + "--x--", "not well-formed");
    }

    @Test
    void lines_end_in_both_characters() {
        assertThatThrownBy(() -> read("x", new ByteArrayInputStream("--x\nA: b\n\n1\n--x--".getBytes(ISO_8859_1)), 9))
                .isInstanceOf(InvalidBodyException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a\"b",
                "a;b",
                "a\rb",
                "ü",
                "12345678901234567890123456789012345678901234567890123456789012345678901"
            })
    void a_boundary_that_is_none_is_refused(String boundary) {
        assertThatThrownBy(() -> read(boundary, InputStream.nullInputStream(), 9))
                .isInstanceOf(InvalidBodyException.class)
                .hasMessageContaining("boundary");
    }

    @Test
    void content_full_of_almost_boundaries_takes_no_longer() {
        String boundary = "b".repeat(70);
        byte[] body = ("--" + boundary + "\r\n\r\n" + ("\r\n--" + "b".repeat(69)).repeat(60_000) + "\r\n--" + boundary
                        + "--")
                .getBytes(ISO_8859_1);
        long start = System.nanoTime();
        assertThat(body.length).isGreaterThan(4_000_000);
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> {
                    MultipartReader reader = new MultipartReader(new ByteArrayInputStream(body), boundary);
                    while (reader.next() != null) {}
                }))
                .isNull();
        assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    }

    @Test
    void whatever_is_written_is_read_back_however_it_arrives() {
        Seeded.rounds(10_000, random -> {
            String boundary = Seeded.text(random, 20, "-", "b", "B", "=", "_", "'") + "x";
            List<String> parts = new ArrayList<>();
            StringBuilder body = new StringBuilder();
            for (int i = random.nextInt(4); i > 0; i--) {
                String content =
                        Seeded.text(random, 12, "\r", "\n", "\r\n", "-", "--", "--" + boundary.substring(1), "a", "\0");
                content = content.contains("--" + boundary) ? "" : content;
                String name = Seeded.text(random, 5, "a", "b", ";", "=", ",", " ", ":", "[]");
                parts.add(name + "=" + content);
                body.append("--").append(boundary).append(random.nextInt(9) == 0 ? " \t\r\n" : "\r\n");
                body.append("Content-Disposition: form-data; name=\"")
                        .append(name)
                        .append("\"\r\n\r\n");
                body.append(content).append("\r\n");
            }
            body.append("--").append(boundary).append("--");
            byte[] bytes = body.toString().getBytes(ISO_8859_1);
            if (!read(boundary, trickling(random, bytes), 1 + random.nextInt(30))
                    .equals(parts)) {
                throw new AssertionError(body);
            }
        });
    }

    @Test
    void whatever_comes_is_read_or_refused() {
        String[] pieces = {
            "--x",
            "--x\r\n",
            "\r\n--x\r\n",
            "\r\n--x--",
            "--",
            "\r\n",
            "\r\n\r\n",
            "\r",
            "\n",
            "x",
            ":",
            "A: b",
            ";",
            "\"",
            "\\",
            "=",
            "Content-Disposition: form-data; name=",
            "Content-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n\r\n",
            "\0",
            "ü",
            " "
        };
        int[] read = new int[1];
        Seeded.rounds(60_000, random -> {
            String body = (random.nextBoolean() ? "--x\r\n" : "")
                    + Seeded.text(random, 10, pieces)
                    + (random.nextBoolean() ? "\r\n--x--" : "");
            try {
                MultipartReader reader = new MultipartReader(new ByteArrayInputStream(body.getBytes(ISO_8859_1)), "x");
                for (PartHeader part = reader.next(); part != null; part = reader.next()) {
                    part.name();
                    read[0]++;
                }
            } catch (InvalidBodyException e) {
                // as it should be
            }
        });
        assertThat(read[0]).isGreaterThan(3_000);
    }

    /** In pieces of any size, as from a network. */
    private static InputStream trickling(SplittableRandom random, byte[] bytes) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int from, int count) {
                return super.read(into, from, Math.min(count, 1 + random.nextInt(12)));
            }
        };
    }
}
