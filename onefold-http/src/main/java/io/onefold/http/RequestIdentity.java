package io.onefold.http;

import io.onefold.Key;
import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import io.onefold.payload.MalformedPayloadException;
import io.onefold.payload.PayloadParser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The identity of a request: its caller, its key, and everything that the key stands for. */
final class RequestIdentity {
    /** After the first success a precondition no longer holds; but with another one it is another request. */
    private static final Set<String> PRECONDITIONS =
            Set.of("if-match", "if-none-match", "if-modified-since", "if-unmodified-since");

    private static final int MAX_QUERY = 64 << 10;

    /** A body of a megabyte may be several in canonical form; its levels come on top of those of the request. */
    private static final Fingerprinter PRINTS =
            Fingerprinter.standard().maxBytes(32 << 20).maxDepth(80);

    private RequestIdentity() {}

    static Key key(ProtectedOperation covered, Caller caller, String value, Fingerprint print) {
        return unprinted(covered, caller, value).matching(print);
    }

    /** Without what it stands for: to look a record up. */
    static Key unprinted(ProtectedOperation covered, Caller caller, String value) {
        return ProtectedOperation.yes(covered.policy().tokens) ? caller.token(value) : caller.in(Key.of(value));
    }

    static Fingerprint print(ProtectedOperation covered, RequestHead head, SpooledBody body) throws ProblemException {
        return print(parts(covered.policy(), head, body), body);
    }

    /** Returns the parts of a request that are compared. */
    static Map<String, @Nullable Object> parts(HttpPolicy policy, RequestHead head, SpooledBody body)
            throws ProblemException {
        Map<String, @Nullable Object> parts = new LinkedHashMap<>();
        parts.put("method", head.method());
        parts.put("path", head.comparedPath());
        Object query = query(head.query(), Objects.requireNonNull(policy.ignoredQuery));
        if (query != null) {
            parts.put("query", query);
        }
        if (body.mediaType() != null) {
            parts.put("type", body.mediaType());
        }
        for (String name : PRECONDITIONS) {
            compared(parts, head, name);
        }
        for (String name : Objects.requireNonNull(policy.comparedHeaders)) {
            compared(parts, head, name);
        }
        parts.put("kind", body.kind());
        parts.put("body", body.print());
        return parts;
    }

    /** Changes the parts if they do not fit into a fingerprint. */
    static Fingerprint print(Map<String, @Nullable Object> parts, SpooledBody body) throws ProblemException {
        try {
            return PRINTS.value(parts);
        } catch (IllegalArgumentException e) {
            // larger than what is taken in canonical form: then only the same bytes are the same
            BodyFingerprint raw = body.raw();
            parts.put("kind", raw.kind());
            parts.put("body", raw.value());
            return PRINTS.value(parts);
        }
    }

    private static void compared(Map<String, @Nullable Object> parts, RequestHead head, String name) {
        List<String> lines = head.headers(name);
        if (!lines.isEmpty()) {
            parts.put("header " + name, lines);
        }
    }

    /** Null if there is none, or nothing in it that counts. */
    private static @Nullable Object query(@Nullable String query, Set<String> ignored) {
        if (query == null) {
            return null;
        }
        try {
            Map<String, List<String>> parameters = PayloadParser.form(query, MAX_QUERY);
            if (ignored.isEmpty()) {
                return parameters;
            }
            Map<String, List<String>> counting = new LinkedHashMap<>(parameters);
            counting.keySet().removeAll(ignored);
            return counting.isEmpty() ? null : counting;
        } catch (MalformedPayloadException e) {
            return query;
        }
    }
}
