package io.onefold.http;

import io.onefold.http.BodyRules.Compare;
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
record BodyPrint(String kind, @Nullable Object value) {

    static BodyPrint of(SpooledBody body, BodyRules rules) throws IOException, RejectedException {
        if (rules.compare == Compare.NONE) {
            return new BodyPrint("none", null);
        }
        if (!body.codings().isEmpty() && (rules.wireBytes || !body.codings().areKnown())) {
            // the same bytes without the coding are a different body
            String coding = String.join(",", body.codings().names());
            return new BodyPrint("encoded", Map.of("coding", coding, "sha256", body.sentSha256()));
        }
        if (rules.compare == Compare.CANONICAL) {
            if (body.isMultipart() && rules.multipart == BodyRules.Multipart.PARTS) {
                return new BodyPrint("multipart", parts(body, new Pruning(rules)));
            }
            byte[] small = body.isJson() || body.isForm() ? body.small() : null;
            if (small != null) {
                try {
                    return body.isJson()
                            ? new BodyPrint("json", new Pruning(rules).prune(body.json(small)))
                            : new BodyPrint("form", new Pruning(rules).prune(SpooledBody.form(small)));
                } catch (MalformedPayloadException e) {
                    // the application may read it differently: only equal bytes are certainly the same
                }
            }
        }
        return raw(body);
    }

    static BodyPrint raw(SpooledBody body) throws IOException {
        return new BodyPrint("raw", Map.of("sha256", body.sha256()));
    }

    private static List<Object> parts(SpooledBody body, Pruning pruning) throws IOException, RejectedException {
        List<Object> parts = new ArrayList<>();
        try (InputStream content = body.content()) {
            MultipartReader reader = body.parts(content);
            byte[] buffer = new byte[1 << 13];
            for (Part part = reader.next(); part != null; part = reader.next()) {
                String name = part.name();
                if (pruning.keeps(name == null ? "" : name)) {
                    MessageDigest digest = Sha256.start();
                    for (int now = reader.read(buffer, 0, buffer.length); now >= 0; ) {
                        digest.update(buffer, 0, now);
                        now = reader.read(buffer, 0, buffer.length);
                    }
                    parts.add(part.print(Sha256.hex(digest)));
                }
            }
        }
        pruning.check();
        return parts;
    }
}
