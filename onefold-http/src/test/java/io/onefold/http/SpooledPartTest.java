package io.onefold.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpooledPartTest {
    private static final String LARGE = "x".repeat((1 << 13) + 1);
    private static final String BODY = """
            --b
            Content-Disposition: form-data; name="note"

            hello
            --b
            Content-Disposition: form-data; name="file"; filename="a.txt"

            content
            --b
            Content-Disposition: form-data; name="large"

            %s
            --b--
            """.formatted(LARGE).replace("\n", "\r\n");

    private static String text(BodyPart part) throws IOException {
        return new String(part.open().readAllBytes(), US_ASCII);
    }

    @Test
    void a_small_field_is_read_without_the_body_and_others_are_not_held() throws Exception {
        RequestHead head = FakeHead.post("/").with("Content-Type", "multipart/form-data; boundary=b");
        try (BodySpool spool =
                new BodySpool(BodyRules.standard(), head, new BodyMemoryLimit(1 << 20), Path.of("nowhere"))) {
            spool.write(BODY.getBytes(US_ASCII), 0, BODY.length());
            List<BodyPart> parts = spool.done().parts();
            assertThat(text(parts.get(0))).isEqualTo("hello");
            assertThat(text(parts.get(1))).isEqualTo("content");
            assertThat(text(parts.get(2))).isEqualTo(LARGE);
            assertThat(parts.get(2).size()).isEqualTo(LARGE.length());
            spool.close();
            assertThat(text(parts.get(0))).isEqualTo("hello");
            assertThatThrownBy(() -> text(parts.get(1))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> text(parts.get(2))).isInstanceOf(IOException.class);
        }
    }
}
