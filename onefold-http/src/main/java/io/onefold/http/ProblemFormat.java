package io.onefold.http;

import io.onefold.payload.PayloadFormatter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Formats a problem as in RFC 9457, or as the clients of a profile expect it. */
final class ProblemFormat {
    /** In seconds, where nothing better is known. */
    private static final String PAUSE = "5";

    private final HttpProfile profile;
    private final int overloaded;

    /** The last result of {@link #date}: most responses within one second have the same date. */
    private volatile FormattedProblem last = new FormattedProblem(0, HttpDate.of(Instant.EPOCH));

    /** @param overloaded the status of having too much to do */
    ProblemFormat(HttpProfile profile, int overloaded) {
        this.profile = profile;
        this.overloaded = overloaded;
    }

    /** Refuses a status that clients would not take for having too much to do. */
    static int overloaded(int status) {
        if (status != 429 && status != 503) {
            throw new IllegalArgumentException("overloadedStatus must be 429 or 503, not " + status);
        }
        return status;
    }

    /** Whole seconds count. */
    String date(Instant when) {
        FormattedProblem known = last;
        if (known.second != when.getEpochSecond()) {
            known = new FormattedProblem(when.getEpochSecond(), HttpDate.of(when));
            last = known;
        }
        return known.text;
    }

    private record FormattedProblem(long second, String text) {}

    OutgoingResponse tell(Problem problem, List<HeaderField> headers, Map<String, ?> more) {
        List<HeaderField> all = new ArrayList<>();
        all.add(new HeaderField("Cache-Control", "no-store"));
        all.addAll(headers);
        if (problem.retryable()
                && headers.stream().noneMatch(field -> field.name().equals("Retry-After"))) {
            all.add(new HeaderField("Retry-After", PAUSE));
        }
        int status = status(problem);
        Map<String, Object> members = new LinkedHashMap<>();
        if (profile == HttpProfile.STRIPE) {
            members.put("error", stripe(problem));
            if (!problem.retryable()) {
                // its clients repeat every 409 and 5xx otherwise
                all.add(new HeaderField("Stripe-Should-Retry", "false"));
            }
            all.add(0, new HeaderField("Content-Type", "application/json"));
        } else if (profile == HttpProfile.AZURE) {
            members.put(
                    "error",
                    Map.of(
                            "code",
                            name(problem.type()),
                            "message",
                            problem.type().title() + ": " + problem.detail()));
            all.add(0, new HeaderField("Content-Type", "application/json"));
            all.add(new HeaderField("Repeatability-Result", "rejected"));
        } else {
            members.put("type", problem.type().address());
            members.put("title", problem.type().title());
            members.put("status", status);
            members.put("detail", problem.detail());
            members.put("retryable", problem.retryable());
            members.put("instance", "urn:uuid:" + UUID.randomUUID());
            members.putAll(more);
            all.add(0, new HeaderField("Content-Type", "application/problem+json"));
        }
        return new OutgoingResponse(status, all, PayloadFormatter.json(members), false);
    }

    int status(Problem problem) {
        if (problem.type() == Problem.ProblemType.OVERLOADED) {
            return overloaded;
        }
        // neither knows 422 for a key that was used for something else
        boolean mismatch = problem.type() == Problem.ProblemType.KEY_REUSED;
        return mismatch && (profile == HttpProfile.STRIPE || profile == HttpProfile.AZURE) ? 400 : problem.status();
    }

    private static Map<String, String> stripe(Problem problem) {
        Map<String, String> error = new LinkedHashMap<>();
        error.put("type", problem.status() >= 500 ? "api_error" : "idempotency_error");
        if (problem.type() == Problem.ProblemType.IN_PROGRESS) {
            error.put("code", "idempotency_key_in_use");
        }
        error.put("message", problem.type().title() + ": " + problem.detail());
        return error;
    }

    /** Returns the code in the spelling of OASIS, such as KeyReused. */
    private static String name(Problem.ProblemType type) {
        StringBuilder name = new StringBuilder();
        for (String word : type.name().split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}
