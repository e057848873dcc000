package io.onefold.test;

import io.onefold.test.CallResult.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the outcome of a request from an HTTP response, in any profile of the contract. */
final class HttpResultReader {
    static final String MARKER = "Idempotent-Replayed";

    private static final List<String> BUSY =
            List.of("urn:onefold:problem:in-progress", "\"InProgress\"", "\"idempotency_key_in_use\"");
    private static final List<String> CONFLICT = List.of(
            "urn:onefold:problem:key-reused", "\"KeyReused\"", "The idempotency key was used for another request");
    private static final List<String> UNKNOWN = List.of(
            "urn:onefold:problem:outcome-unknown",
            "\"OutcomeUnknown\"",
            "Nobody knows yet whether the request was carried out");
    private static final List<String> ATTEMPT_FAILED = List.of(
            "urn:onefold:problem:attempt-failed",
            "\"AttemptFailed\"",
            "The request in progress has failed; nothing was carried out for this one");
    private static final List<String> OWN = List.of("urn:onefold:problem:", "\"idempotency_error\"");

    private final String marker;

    /** @param marker the header that marks a replayed response */
    HttpResultReader(String marker) {
        this.marker = marker;
    }

    CallResult of(int status, UnaryOperator<@Nullable String> header, @Nullable Object body) {
        String text = body instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : body == null ? "" : body.toString();
        List<?> value = Arrays.asList(
                header.apply("Content-Type"),
                header.apply("Location"),
                body instanceof byte[] bytes ? new String(bytes, StandardCharsets.ISO_8859_1) : body);
        return new CallResult(kind(status, header, text), status, value, text);
    }

    private Kind kind(int status, UnaryOperator<@Nullable String> header, String text) {
        if ("true".equals(header.apply(marker))) {
            return Kind.REPLAYED;
        }
        if (status < 400) {
            return Kind.RAN;
        }
        if (says(text, BUSY)) {
            return Kind.BUSY;
        }
        if (says(text, CONFLICT)) {
            return Kind.CONFLICT;
        }
        if (says(text, UNKNOWN)) {
            return Kind.UNKNOWN;
        }
        if (says(text, ATTEMPT_FAILED)) {
            return Kind.ATTEMPT_FAILED;
        }
        boolean rejected = "rejected".equals(header.apply("Repeatability-Result"));
        return rejected || says(text, OWN) ? Kind.REFUSED : Kind.RAN;
    }

    private static boolean says(String text, List<String> words) {
        return words.stream().anyMatch(text::contains);
    }
}
