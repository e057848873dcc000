package io.onefold.http;

import io.onefold.http.BodyRules.BodyComparison;
import io.onefold.payload.MalformedPayloadException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The share of a body in the fingerprint of its request.
 *
 * @param kind how the value was computed; values of different kinds may look alike and must not count as equal
 * @param value for {@link io.onefold.payload.Fingerprinter#value}
 */
record BodyFingerprint(String kind, @Nullable Object value) {

    static BodyFingerprint of(SpooledBody body, BodyRules rules) throws IOException, ProblemException {
        if (rules.compare == BodyComparison.NONE) {
            return new BodyFingerprint("none", null);
        }
        if (!body.codings().isEmpty() && (rules.wireBytes || !body.codings().areKnown())) {
            // the same bytes without the coding are a different body
            String coding = String.join(",", body.codings().names());
            return new BodyFingerprint("encoded", Map.of("coding", coding, "sha256", body.sentSha256()));
        }
        if (rules.compare == BodyComparison.CANONICAL) {
            if (body.isMultipart() && rules.multipart == BodyRules.MultipartHandling.PARTS) {
                return new BodyFingerprint("multipart", parts(body, new FieldPruner(rules)));
            }
            byte[] small = body.isJson() || body.isForm() ? body.small() : null;
            if (small != null) {
                try {
                    return body.isJson()
                            ? new BodyFingerprint("json", new FieldPruner(rules).prune(body.json(small)))
                            : new BodyFingerprint("form", new FieldPruner(rules).prune(SpooledBody.form(small)));
                } catch (MalformedPayloadException e) {
                    // the application may read it differently: only equal bytes are certainly the same
                }
            }
        }
        return raw(body);
    }

    static BodyFingerprint raw(SpooledBody body) throws IOException {
        return new BodyFingerprint("raw", Map.of("sha256", body.sha256()));
    }

    private static List<Object> parts(SpooledBody body, FieldPruner pruning) throws IOException, ProblemException {
        List<Object> parts = new ArrayList<>();
        try (InputStream content = body.content()) {
            MultipartReader reader = body.parts(content);
            byte[] buffer = new byte[1 << 13];
            for (PartHeader part = reader.next(); part != null; part = reader.next()) {
                String name = part.name();
                if (pruning.keeps(name == null ? "" : name)) {
                    MessageDigest digest = Sha256Digest.start();
                    for (int now = reader.read(buffer, 0, buffer.length); now >= 0; ) {
                        digest.update(buffer, 0, now);
                        now = reader.read(buffer, 0, buffer.length);
                    }
                    parts.add(part.print(Sha256Digest.hex(digest)));
                }
            }
        }
        pruning.check();
        return parts;
    }
}
