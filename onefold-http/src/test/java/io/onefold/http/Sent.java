package io.onefold.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** A request as a client sent it; and what is expected of rejections. */
record Sent(@Nullable String query, List<HeaderField> fields, byte[] body) implements RequestHead {
    static final String JSON = "application/json";
    static final String FORM = "application/x-www-form-urlencoded";

    static Sent nothing() {
        return new Sent(null, List.of(), new byte[0]);
    }

    static Sent json(String text) {
        return nothing().header("Content-Type", JSON).body(text);
    }

    static Sent form(String text) {
        return nothing().header("Content-Type", FORM).body(text);
    }

    static Sent multipart(String boundary, String text) {
        return nothing()
                .header("Content-Type", "multipart/form-data; boundary=\"" + boundary + "\"")
                .body(text.replace("BOUNDARY", boundary).replace("\n", "\r\n"));
    }

    Sent query(String other) {
        return new Sent(other, fields, body);
    }

    Sent header(String name, String value) {
        List<HeaderField> all = new ArrayList<>(fields);
        all.add(new HeaderField(name, value));
        return new Sent(query, all, body);
    }

    Sent body(String text) {
        return body(text.getBytes(UTF_8));
    }

    Sent body(byte[] bytes) {
        return new Sent(query, fields, bytes);
    }

    Sent gzipped() {
        return header("Content-Encoding", "gzip").body(gzip(body));
    }

    static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    @Override
    public String method() {
        return "POST";
    }

    @Override
    public String path() {
        return "/orders";
    }

    @Override
    public List<String> headers(String name) {
        return fields.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(HeaderField::value)
                .toList();
    }

    @Override
    public Caller caller() {
        return Caller.ANONYMOUS;
    }

    SpooledBody spooled() throws ProblemException {
        return spooled(BodyRules.standard());
    }

    /** Files go to a directory that is not there: who needs one says where. */
    SpooledBody spooled(BodyRules rules) throws ProblemException {
        return spooled(rules, Path.of("nowhere"));
    }

    SpooledBody spooled(BodyRules rules, Path directory) throws ProblemException {
        BodySpool spool = new BodySpool(rules, this, new BodyMemoryLimit(32 << 20), directory);
        spool.write(body, 0, body.length);
        return spool.done();
    }

    Fingerprint print(BodyRules rules) throws ProblemException {
        return print(spooled(rules));
    }

    Fingerprint print() throws ProblemException {
        return print(BodyRules.standard());
    }

    static Fingerprint print(SpooledBody body) throws ProblemException {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("kind", body.kind());
        all.put("body", body.print());
        return Fingerprinter.standard().maxBytes(1 << 24).value(all);
    }

    static Problem rejected(ThrowingCallable call) {
        ProblemException rejection = catchThrowableOfType(ProblemException.class, call);
        assertThat(rejection).as("a rejection").isNotNull();
        return rejection.problem();
    }
}
