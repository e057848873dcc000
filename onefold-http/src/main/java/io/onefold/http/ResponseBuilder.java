package io.onefold.http;

import io.onefold.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds the responses to one request, in the format of its profile. */
final class ResponseBuilder {
    private static final Duration FAILED_PAUSE = Duration.ofSeconds(1);
    private static final Duration UNKNOWN_PAUSE = Duration.ofSeconds(30);

    private final ProblemFormat words;
    private final HttpProfile profile;
    private final ReplayHeader marker;
    private final HttpPolicy policy;
    private final List<HeaderField> cors;

    /** The header that the key came in, with its spelling; null if the key came otherwise. */
    private final @Nullable HeaderField echo;

    /** Supplies the address at which the client can ask for the state of the request; null if there is none. */
    private final Supplier<@Nullable String> statusAddress;

    /** Is called for every rejection. */
    private final Consumer<Problem.ProblemType> refusals;

    ResponseBuilder(
            ProblemFormat words,
            HttpProfile profile,
            ReplayHeader marker,
            HttpPolicy policy,
            List<HeaderField> cors,
            @Nullable HeaderField echo,
            Supplier<@Nullable String> statusAddress,
            Consumer<Problem.ProblemType> refusals) {
        this.words = words;
        this.profile = profile;
        this.marker = marker;
        this.policy = policy;
        this.cors = cors;
        this.echo = echo;
        this.statusAddress = statusAddress;
        this.refusals = refusals;
    }

    /** Returns the response that the application has just produced. */
    OutgoingResponse produced(HandlerResponse produced, boolean stored, @Nullable StoredResponse kept) {
        List<HeaderField> headers = StoredHeaderRules.passed(produced.headers(), marker);
        common(headers, stored ? kept : null);
        if (!stored) {
            headers.add(new HeaderField("Onefold-Stored", "false"));
        }
        return new OutgoingResponse(
                produced.status(),
                headers,
                produced.body(),
                produced.certainty() == HandlerResponse.ExecutionCertainty.SENT);
    }

    OutgoingResponse replayed(StoredResponse stored) {
        List<HeaderField> headers = new ArrayList<>(stored.fields());
        // the marker may have had another name when this was stored
        headers.removeIf(field -> field.name().equalsIgnoreCase("Cache-Control") || marker.is(field.name()));
        headers.addAll(replayMarks());
        common(headers, stored);
        return new OutgoingResponse(stored.status(), headers, stored.body(), false);
    }

    /** The headers that mark a response as the replay of an earlier one. */
    List<HeaderField> replayMarks() {
        return List.of(new HeaderField(marker.name(), "true"), new HeaderField("Cache-Control", "no-store"));
    }

    /** Returns the response that the handler rendered again from the value of an earlier request. */
    OutgoingResponse replayedValue(HandlerResponse produced) {
        List<HeaderField> headers = StoredHeaderRules.passed(produced.headers(), marker);
        headers.removeIf(field -> field.name().equalsIgnoreCase("Cache-Control"));
        headers.addAll(replayMarks());
        common(headers, null);
        return new OutgoingResponse(
                produced.status(),
                headers,
                produced.body(),
                produced.certainty() == HandlerResponse.ExecutionCertainty.SENT);
    }

    OutgoingResponse notReplayable(@Nullable StoredResponse stored) {
        List<HeaderField> headers = new ArrayList<>();
        if (stored != null) {
            for (HeaderField field : stored.fields()) {
                if (List.of("location", "etag", "content-location")
                        .contains(field.name().toLowerCase(Locale.ROOT))) {
                    headers.add(field);
                }
            }
        }
        String detail = stored == null
                ? "It was too large, or could not be written."
                : "It was answered with status " + stored.status() + ", but the answer itself was not kept.";
        return problem(Problem.of(Problem.ProblemType.RESULT_NOT_REPLAYABLE, detail), headers, Map.of());
    }

    /** Returns the response for an outcome that has no response of its own. */
    OutgoingResponse instead(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Replayed<?>) {
            return notReplayable(null);
        }
        if (outcome instanceof Outcome.Failed<?>) {
            return failed();
        }
        return outcome instanceof Outcome.Overtaken<?>
                ? problem(new Problem(
                        Problem.ProblemType.OUTCOME_UNKNOWN,
                        500,
                        "The request was carried out, but its record had been settled otherwise."))
                : duplicate(outcome);
    }

    OutgoingResponse duplicate(Outcome<?> outcome) {
        if (outcome instanceof Outcome.InProgress<?> busy) {
            String detail =
                    policy.busyMessage == null ? "Another request with this key is being handled." : policy.busyMessage;
            Problem problem = Problem.of(Problem.ProblemType.IN_PROGRESS, detail);
            return problem(problem.withStatus(policy.busyStatus), retryAfter(busy.retryAfter()), Map.of());
        }
        if (outcome instanceof Outcome.Conflict<?> conflict) {
            String detail = conflict.fields().isEmpty()
                    ? "The request differs from the one that this key was first used for."
                    : "The request differs from the one that this key was first used for, in "
                            + String.join(", ", conflict.fields()) + ".";
            return problem(
                    Problem.of(Problem.ProblemType.KEY_REUSED, detail), List.of(), Map.of("fields", conflict.fields()));
        }
        if (outcome instanceof Outcome.Unknown<?> unknown) {
            Problem problem = Problem.of(
                    Problem.ProblemType.OUTCOME_UNKNOWN,
                    "An earlier request with this key was not answered; it is not repeated until somebody knows what became of it.");
            List<HeaderField> headers = new ArrayList<>(retryAfter(UNKNOWN_PAUSE));
            String address = statusAddress.get();
            if (address != null) {
                headers.add(new HeaderField("Link", "<" + address + ">; rel=\"status\""));
            }
            return problem(
                    problem.withStatus(policy.unknownStatus),
                    headers,
                    Map.of("since", unknown.since().toString()));
        }
        if (outcome instanceof Outcome.Rejected<?> refused) {
            return refused(refused);
        }
        return outcome instanceof Outcome.AttemptFailed<?> ? attemptFailed() : failed();
    }

    /** Does not give the reason: the first client got the application's own message, which other clients must not see. */
    private OutgoingResponse attemptFailed() {
        Problem problem = Problem.of(
                Problem.ProblemType.ATTEMPT_FAILED,
                "This request waited for another one with the same key, which has failed. It may be sent again.");
        return problem(problem, retryAfter(FAILED_PAUSE), Map.of());
    }

    /**
     * Leaves out the failure's message: it was meant for the application, or written by the operator who settled the request, not for
     * clients.
     */
    private OutgoingResponse failed() {
        return problem(Problem.of(Problem.ProblemType.OPERATION_FAILED, "It is not tried again."));
    }

    private OutgoingResponse refused(Outcome.Rejected<?> refused) {
        Problem.ProblemType type = switch (refused.reason()) {
            case DUPLICATE -> Problem.ProblemType.DUPLICATE;
            case LATE -> Problem.ProblemType.RESULT_NOT_REPLAYABLE;
            case SUPERSEDED -> Problem.ProblemType.KEY_REUSED;
            case EXHAUSTED -> Problem.ProblemType.OPERATION_FAILED;
            case TOKEN_MISSING -> Problem.ProblemType.TOKEN_MISSING;
            case TOKEN_FOREIGN -> Problem.ProblemType.TOKEN_FOREIGN;
            case TOKEN_EXPIRED -> Problem.ProblemType.TOKEN_EXPIRED;
        };
        return problem(Problem.of(type, refused.message()), List.of(), Map.of());
    }

    OutgoingResponse problem(Problem problem) {
        return problem(problem, List.of(), Map.of());
    }

    private OutgoingResponse problem(Problem problem, List<HeaderField> headers, Map<String, ?> more) {
        refusals.accept(problem.type());
        List<HeaderField> all = new ArrayList<>(headers);
        all.addAll(cors);
        return words.tell(problem, all, more);
    }

    private void common(List<HeaderField> headers, @Nullable StoredResponse kept) {
        if (echo != null && !has(headers, echo.name())) {
            headers.add(echo);
        }
        // a response stored by an earlier release does not say until when it is replayed
        if (kept != null && kept.whole() && kept.until() > 0 && ProtectedOperation.yes(policy.tellKeep)) {
            headers.add(new HeaderField("Idempotency-Key-Expires", words.date(Instant.ofEpochSecond(kept.until()))));
        }
        if (profile == HttpProfile.AZURE) {
            headers.add(new HeaderField("Repeatability-Result", "accepted"));
        }
        CorsHeaders.join(cors, headers);
    }

    private static boolean has(List<HeaderField> headers, String name) {
        for (HeaderField field : headers) {
            if (field.name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** The pause in whole seconds, at least one, because clients understand nothing finer. */
    private static List<HeaderField> retryAfter(Duration pause) {
        return List.of(new HeaderField(
                "Retry-After", Long.toString(Math.max(1, pause.plusMillis(999).toSeconds()))));
    }
}
