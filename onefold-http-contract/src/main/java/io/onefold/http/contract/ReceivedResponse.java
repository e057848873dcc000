package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A response, to the byte.
 *
 * @param interim the statuses from 100 to 199 that came before it
 */
@SuppressWarnings("ArrayRecordComponent") // compared by its parts
record ReceivedResponse(
        int status, List<HeaderLine> headers, byte[] body, List<HeaderLine> trailers, List<Integer> interim) {

    List<String> all(String name) {
        return headers.stream()
                .filter(line -> line.name().equalsIgnoreCase(name))
                .map(HeaderLine::value)
                .toList();
    }

    /** The only line of this name; null if there is none. */
    @Nullable
    String header(String name) {
        List<String> values = all(name);
        assertThat(values).as("lines of %s in %s", name, this).hasSizeLessThan(2);
        return values.isEmpty() ? null : values.get(0);
    }

    boolean has(String name) {
        return !all(name).isEmpty();
    }

    String text() {
        return new String(body, UTF_8);
    }

    /** A member of a JSON object, as it is spelled; null if there is none. Strings come without their quotes. */
    @Nullable
    String member(String name) {
        String value = "(\"(?:[^\"\\\\]|\\\\.)*\"|\\[[^\\]]*\\]|[-+.0-9A-Za-z]+)";
        Matcher matcher = Pattern.compile("\"" + Pattern.quote(name) + "\"\\s*:\\s*" + value)
                .matcher(text());
        if (!matcher.find()) {
            return null;
        }
        String spelled = matcher.group(1);
        return spelled.startsWith("\"") ? spelled.substring(1, spelled.length() - 1) : spelled;
    }

    boolean replayed() {
        return "true".equals(header("Idempotent-Replayed"));
    }

    /** Checks that this is the first response to its request, and no replay. */
    ReceivedResponse first(int expected) {
        assertThat(status).as("%s", this).isEqualTo(expected);
        assertThat(all("Idempotent-Replayed")).as("%s", this).isEmpty();
        return this;
    }

    /** Checks that this is the same response as the other, replayed from the record. */
    ReceivedResponse replays(ReceivedResponse other) {
        assertThat(status).as("%s", this).isEqualTo(other.status);
        assertThat(header("Idempotent-Replayed")).as("%s", this).isEqualTo("true");
        assertThat(text()).isEqualTo(other.text());
        assertThat(body).isEqualTo(other.body);
        assertThat(all("Content-Type")).isEqualTo(other.all("Content-Type"));
        assertThat(header("Cache-Control")).as("Cache-Control of %s", this).isEqualTo("no-store");
        return this;
    }

    /** Checks that this is a well-formed problem of Onefold, and no replay. */
    ReceivedResponse problem(int expected, String name) {
        assertThat(status).as("%s", this).isEqualTo(expected);
        assertThat(header("Content-Type")).as("Content-Type of %s", this).startsWith("application/problem+json");
        assertThat(member("type")).as("type in %s", this).isEqualTo("urn:onefold:problem:" + name);
        assertThat(member("status")).as("status in %s", this).isEqualTo(String.valueOf(expected));
        assertThat(member("title")).as("title in %s", this).isNotBlank();
        assertThat(member("detail")).as("detail in %s", this).isNotBlank();
        assertThat(member("retryable")).as("retryable in %s", this).isIn("true", "false");
        assertThat(member("instance"))
                .as("instance in %s", this)
                .matches("urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        assertThat(has("Idempotent-Replayed")).as("a replay: %s", this).isFalse();
        return this;
    }

    /** Checks the time of the next try in {@code Retry-After}: whole seconds, at least one. */
    ReceivedResponse comeBack() {
        String after = header("Retry-After");
        assertThat(after).as("Retry-After of %s", this).isNotNull().matches("[1-9][0-9]*");
        return this;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(status);
        headers.forEach(
                line -> text.append('\n').append(line.name()).append(": ").append(line.value()));
        String shown = text();
        return text.append("\n\n")
                .append(shown, 0, Math.min(600, shown.length()))
                .toString();
    }
}
