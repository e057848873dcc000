package io.onefold.http;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What longer runs are for, in a few seconds. */
class FuzzTargetsTest {
    private static final String[] PIECES = {
        "\"",
        "\\",
        ";a",
        "=1",
        "key",
        "-",
        " ",
        "\t",
        ",",
        "?1",
        ":YQ==:",
        "é",
        "\u0000",
        "2f1b6a4e-0f3f-4a0b-9a6e-3a1c5c1b7f00"
    };
    private static final String[] ITEMS = {
        "\"",
        "\"",
        "\\",
        "\\\"",
        ";",
        ";a",
        "; b=",
        "=",
        "1",
        "-",
        ".5",
        "1234567890123",
        "@1",
        "?1",
        "?2",
        ":YQ==:",
        ":Y:",
        "%\"c3a9\"",
        "%\"%c3%a9\"",
        "*t/:",
        "\"s\"",
        "A",
        " ",
        "\t",
        "\u00e9",
        ","
    };
    private static final String[] BODIES = {
        "{",
        "}",
        "\"a\":",
        "1",
        ",",
        "[",
        "]",
        "a=b",
        "&",
        "%41",
        "--b\r\n",
        "--b--\r\n",
        "\r\n\r\n",
        "Content-Disposition: form-data; name=\"x\"",
        "\u001f\u008b"
    };

    @Test
    void any_value_is_a_key_or_refused() {
        Seeded.rounds(
                100_000,
                random -> KeyFuzz.fuzzerTestOneInput(
                        Seeded.text(random, 6, PIECES).getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Test
    void any_body_has_one_fingerprint_or_is_refused() {
        Seeded.rounds(30_000, random -> BodyFuzz.fuzzerTestOneInput(body(random)));
    }

    @Test
    void an_item_is_what_the_grammar_of_the_rfc_says() {
        Seeded.rounds(100_000, random -> {
            String text = random.nextInt(4) == 0 ? Seeded.text(random, 6, ITEMS) : '"' + Seeded.text(random, 8, ITEMS);
            StructuredFuzz.fuzzerTestOneInput(text.getBytes(StandardCharsets.ISO_8859_1));
        });
    }

    @Test
    void json_is_compared_by_what_it_means() {
        Seeded.rounds(20_000, random -> JsonFuzz.fuzzerTestOneInput(Seeded.bytes(random, random.nextInt(200))));
    }

    @Test
    void forms_are_compared_by_what_they_mean() {
        Seeded.rounds(20_000, random -> FormFuzz.fuzzerTestOneInput(Seeded.bytes(random, random.nextInt(100))));
    }

    private static byte[] body(SplittableRandom random) {
        String text = (char) random.nextInt(256) + Seeded.text(random, 12, BODIES);
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
