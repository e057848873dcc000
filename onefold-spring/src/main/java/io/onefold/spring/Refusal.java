package io.onefold.spring;

import io.onefold.payload.JsonCodec;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * What an exception with a status says, as it is kept.
 *
 * @param simple whether it is a status with a reason, which is rendered in another way than a problem
 * @param problem null if it has none
 */
record Refusal(
        int status,
        boolean simple,
        @Nullable String reason,
        @Nullable Document problem,
        Map<String, List<String>> headers) {
    private static final JsonCodec JSON = new JsonCodec();

    /** Null if it has no status. */
    static @Nullable Refusal of(Throwable thrown) {
        if (thrown instanceof ErrorResponse said) {
            boolean simple = thrown instanceof ResponseStatusException;
            return new Refusal(
                    said.getStatusCode().value(),
                    simple,
                    simple ? ((ResponseStatusException) thrown).getReason() : null,
                    Document.of(said.getBody()),
                    Entities.kept(said.getHeaders()));
        }
        ResponseStatus said = AnnotatedElementUtils.findMergedAnnotation(thrown.getClass(), ResponseStatus.class);
        return said == null ? null : new Refusal(said.code().value(), true, said.reason(), null, Map.of());
    }

    String data() {
        return new String(JSON.encode(this, Refusal.class), StandardCharsets.UTF_8);
    }

    /** The refusal again, as an exception that is rendered as the first one was. */
    static RuntimeException again(String data) {
        Refusal refusal = (Refusal) Objects.requireNonNull(
                JSON.decode(data.getBytes(StandardCharsets.UTF_8), Refusal.class, JSON.version()));
        HttpStatusCode status = HttpStatusCode.valueOf(refusal.status);
        String reason = refusal.reason == null || refusal.reason.isEmpty() ? null : refusal.reason;
        ErrorResponseException again = refusal.simple
                ? new ResponseStatusException(status, reason)
                : new ErrorResponseException(status, ProblemDetail.forStatus(status), null);
        refusal.headers.forEach(
                (name, values) -> values.forEach(value -> again.getHeaders().add(name, value)));
        if (refusal.problem != null) {
            refusal.problem.tell(again.getBody());
        }
        return again;
    }

    /** A problem document: what it has of its own, as far as it is texts, numbers and truths. */
    record Document(
            @Nullable String type,
            @Nullable String title,
            @Nullable String detail,
            @Nullable String instance,
            Map<String, String> texts,
            Map<String, BigDecimal> numbers,
            Map<String, Boolean> truths) {
        static Document of(ProblemDetail problem) {
            Map<String, String> texts = new LinkedHashMap<>();
            Map<String, BigDecimal> numbers = new LinkedHashMap<>();
            Map<String, Boolean> truths = new LinkedHashMap<>();
            Map<String, Object> own = problem.getProperties();
            (own == null ? Map.<String, Object>of() : own).forEach((name, value) -> {
                if (value instanceof Number) {
                    numbers.put(name, new BigDecimal(value.toString()));
                } else if (value instanceof Boolean truth) {
                    truths.put(name, truth);
                } else if (value instanceof CharSequence || value instanceof Enum<?>) {
                    texts.put(name, value.toString());
                }
            });
            return new Document(
                    text(problem.getType()),
                    problem.getTitle(),
                    problem.getDetail(),
                    text(problem.getInstance()),
                    texts,
                    numbers,
                    truths);
        }

        private static @Nullable String text(@Nullable URI address) {
            return address == null ? null : address.toString();
        }

        void tell(ProblemDetail problem) {
            if (type != null) {
                problem.setType(URI.create(type));
            }
            problem.setTitle(title);
            problem.setDetail(detail);
            problem.setInstance(instance == null ? null : URI.create(instance));
            texts.forEach(problem::setProperty);
            numbers.forEach(problem::setProperty);
            truths.forEach(problem::setProperty);
        }
    }
}
