package io.onefold.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.onefold.Key;
import io.onefold.payload.MalformedPayloadException;
import io.onefold.payload.PayloadParser;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A body that has come to its end: what is handled, what a key is looked for in, and what is compared. */
final class SpooledBody implements BufferedBody {
    /** A few less than a fingerprint takes, since the body is put into a larger value. */
    static final int MAX_DEPTH = 60;

    /** Many small values cost many times their bytes in memory. */
    static final int MAX_VALUES = 100_000;

    private final BodyRules rules;
    private final @Nullable ParameterizedHeader type;
    private final ContentCodings codings;
    private final BodyBuffer held;
    private final byte @Nullable [] sentSha256;
    private @Nullable BodyFingerprint print;

    /**
     * @param sentSha256 null if it was not made on the way
     */
    SpooledBody(
            BodyRules rules,
            @Nullable ParameterizedHeader type,
            ContentCodings codings,
            BodyBuffer held,
            byte @Nullable [] sentSha256) {
        this.rules = rules;
        this.type = type;
        this.codings = codings;
        this.held = held;
        this.sentSha256 = sentSha256;
    }

    @Override
    public long length() {
        return held.length();
    }

    @Override
    public InputStream open() {
        return held.open();
    }

    @Override
    public byte[] bytes() throws IOException {
        return held.bytes();
    }

    /** It was compared: what was read for that costs many times the body, and who waits may wait for long. */
    void forgetPrint() {
        print = null;
    }

    /** Returns the part of the body that belongs to the fingerprint, together with its {@link #kind}. */
    @Nullable
    Object print() throws ProblemException {
        return printed().value();
    }

    /** Returns the kind of {@link #print}; {@code rejected} if there is no print. */
    String kind() {
        try {
            return printed().kind();
        } catch (ProblemException e) {
            return "rejected";
        }
    }

    private BodyFingerprint printed() throws ProblemException {
        if (print == null) {
            print = reading(() -> BodyFingerprint.of(this, rules));
        }
        return print;
    }

    /** For a body that does not fit into a fingerprint otherwise. */
    BodyFingerprint raw() throws ProblemException {
        return reading(() -> BodyFingerprint.raw(this));
    }

    /** Without its parameters; null if it is not said. */
    @Nullable
    String mediaType() {
        return type == null ? null : type.main();
    }

    /** Returns true if it is compared by its content, if it can be read. */
    static boolean isTree(@Nullable ParameterizedHeader type) {
        return isJson(type) || isForm(type);
    }

    private static boolean isJson(@Nullable ParameterizedHeader type) {
        return type != null
                && (type.main().equals("application/json") || type.main().endsWith("+json"));
    }

    private static boolean isForm(@Nullable ParameterizedHeader type) {
        return type != null && type.main().equals("application/x-www-form-urlencoded");
    }

    boolean isJson() {
        return isJson(type);
    }

    boolean isForm() {
        return isForm(type);
    }

    boolean isMultipart() {
        return type != null && type.main().startsWith("multipart/");
    }

    private boolean is(String name) {
        return type != null && type.main().equals(name);
    }

    ContentCodings codings() {
        return codings;
    }

    /** Returns the hash of the body as it was sent. */
    String sentSha256() throws IOException {
        if (sentSha256 != null) {
            return HexFormat.of().formatHex(sentSha256);
        }
        try (InputStream sent = open()) {
            return Sha256Digest.of(sent);
        }
    }

    /** Decoded. */
    String sha256() throws IOException {
        if (codings.isEmpty()) {
            return sentSha256();
        }
        try (InputStream content = content()) {
            return Sha256Digest.of(content);
        }
    }

    /** Decoded; only where the codings are known. */
    InputStream content() throws IOException {
        return codings.decode(held.open(), held.length(), rules.max);
    }

    /** The decoded text of JSON or a form; null if that is more than may be in memory. */
    byte @Nullable [] small() throws IOException {
        if (held.length() > rules.memory) {
            return null;
        }
        byte[] bytes = codings.isEmpty() ? held.bytes() : decoded();
        return bytes.length > rules.memory || values(bytes) > MAX_VALUES ? null : bytes;
    }

    /** At most one more than may be in memory. */
    private byte[] decoded() throws IOException {
        try (InputStream content = content()) {
            return content.readNBytes(rules.memory + 1);
        }
    }

    @Override
    public List<BodyPart> parts() throws IOException {
        return is("multipart/form-data") && codings.areKnown() ? SpooledPart.of(this) : List.of();
    }

    /** Returns the number of values, counted by their separators. Separators within strings of JSON do not count. */
    private int values(byte[] text) {
        boolean json = isJson();
        boolean inside = false;
        int values = 1;
        for (int i = 0; i < text.length; i++) {
            byte c = text[i];
            if (json && c == '"') {
                inside = !inside;
            } else if (inside) {
                i += c == '\\' ? 1 : 0;
            } else if (json ? c == ',' || c == '[' || c == '{' : c == '&') {
                values++;
            }
        }
        return values;
    }

    MultipartReader parts(InputStream content) throws IOException {
        return new MultipartReader(
                content, type == null ? null : type.parameters().get("boundary"));
    }

    @Nullable
    Object json(byte[] bytes) {
        return PayloadParser.json(bytes, MAX_DEPTH, rules.memory);
    }

    static Map<String, List<String>> form(byte[] bytes) {
        return PayloadParser.form(new String(bytes, ISO_8859_1), Integer.MAX_VALUE);
    }

    /** The tree of a JSON body in which a key stands. */
    @Nullable
    Object json() throws ProblemException {
        byte[] bytes = reading(this::searched);
        try {
            return json(bytes);
        } catch (MalformedPayloadException e) {
            throw malformed(e);
        }
    }

    /** The values of a form's fields of this name; none if the body is no form. */
    List<String> fields(String name) throws ProblemException {
        if (isForm()) {
            return reading(() -> form(searched()).getOrDefault(name, List.of()));
        }
        return is("multipart/form-data") ? reading(() -> multipartFields(name)) : List.of();
    }

    private byte[] searched() throws IOException, ProblemException {
        checkCodings();
        byte[] bytes = small();
        if (bytes == null) {
            throw notSearched(
                    "it has more than the " + rules.memory + " bytes or " + MAX_VALUES + " values that are searched");
        }
        return bytes;
    }

    private List<String> multipartFields(String name) throws IOException, ProblemException {
        checkCodings();
        List<String> values = new ArrayList<>();
        try (InputStream content = content()) {
            MultipartReader reader = parts(content);
            for (PartHeader part = reader.next(); part != null; part = reader.next()) {
                if (name.equals(part.name())) {
                    if (part.isFile()) {
                        throw notSearched("a file stands where the key is expected");
                    }
                    // one more than a key may have, so that a longer one is noticed
                    byte[] value = new byte[Key.MAX_LENGTH + 1];
                    int length = 0;
                    for (int now = 0; now >= 0 && length < value.length; length += Math.max(now, 0)) {
                        now = reader.read(value, length, value.length - length);
                    }
                    values.add(new String(value, 0, length, ISO_8859_1));
                }
            }
        }
        return values;
    }

    private void checkCodings() throws ProblemException {
        if (!codings.areKnown()) {
            throw notSearched("its Content-Encoding is not known; gzip and deflate are");
        }
    }

    private static ProblemException notSearched(String why) {
        return new ProblemException(Problem.ProblemType.KEY_INVALID, "The body cannot be searched for the key: " + why);
    }

    private static ProblemException malformed(MalformedPayloadException e) {
        return new ProblemException(
                Problem.ProblemType.BODY_INVALID, "The body cannot be searched for the key: " + e.getMessage());
    }

    private interface BodyRead<T> {
        T read() throws IOException, ProblemException;
    }

    private static <T> T reading(BodyRead<T> reading) throws ProblemException {
        try {
            return reading.read();
        } catch (MalformedPayloadException e) {
            throw malformed(e);
        } catch (IOException e) {
            throw BodySpool.notHeld(e);
        }
    }
}
