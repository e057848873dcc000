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
final class Answers {
    private static final Duration FAILED_PAUSE = Duration.ofSeconds(1);
    private static final Duration UNKNOWN_PAUSE = Duration.ofSeconds(30);

    private final Words words;
    private final Profile profile;
    private final ReplayMarker marker;
    private final Policy policy;
    private final List<Field> cors;

    /** The header that the key came in, with its spelling; null if the key came otherwise. */
    private final @Nullable Field echo;

    /** Supplies the address at which the client can ask for the state of the request; null if there is none. */
    private final Supplier<@Nullable String> statusAddress;

    /** Is called for every rejection. */
    private final Consumer<Problem.Type> refusals;

    Answers(
            Words words,
            Profile profile,
            ReplayMarker marker,
            Policy policy,
            List<Field> cors,
            @Nullable Field echo,
            Supplier<@Nullable String> statusAddress,
            Consumer<Problem.Type> refusals) {
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
    Answer produced(Produced produced, boolean stored, @Nullable StoredResponse kept) {
        List<Field> headers = StoredHeaders.passed(produced.headers(), marker);
        common(headers, stored ? kept : null);
        if (!stored) {
            headers.add(new Field("Onefold-Stored", "false"));
        }
        return new Answer(produced.status(), headers, produced.body(), produced.certainty() == Produced.Certainty.SENT);
    }

    Answer replayed(StoredResponse stored) {
        List<Field> headers = new ArrayList<>(stored.fields());
        // the marker may have had another name when this was stored
        headers.removeIf(field -> field.name().equalsIgnoreCase("Cache-Control") || marker.is(field.name()));
        headers.addAll(replayMarks());
        common(headers, stored);
        return new Answer(stored.status(), headers, stored.body(), false);
    }

    /** The headers that mark a response as the replay of an earlier one. */
    List<Field> replayMarks() {
        return List.of(new Field(marker.name(), "true"), new Field("Cache-Control", "no-store"));
    }

    /** Returns the response that the handler rendered again from the value of an earlier request. */
    Answer replayedValue(Produced produced) {
        List<Field> headers = StoredHeaders.passed(produced.headers(), marker);
        headers.removeIf(field -> field.name().equalsIgnoreCase("Cache-Control"));
        headers.addAll(replayMarks());
        common(headers, null);
        return new Answer(produced.status(), headers, produced.body(), produced.certainty() == Produced.Certainty.SENT);
    }

    Answer notReplayable(@Nullable StoredResponse stored) {
        List<Field> headers = new ArrayList<>();
        if (stored != null) {
            for (Field field : stored.fields()) {
                if (List.of("location", "etag", "content-location")
                        .contains(field.name().toLowerCase(Locale.ROOT))) {
                    headers.add(field);
                }
            }
        }
        String detail = stored == null
                ? "It was too large, or could not be written."
                : "It was answered with status " + stored.status() + ", but the answer itself was not kept.";
        return problem(Problem.of(Problem.Type.RESULT_NOT_REPLAYABLE, detail), headers, Map.of());
    }

    /** Returns the response for an outcome that has no response of its own. */
    Answer instead(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Replayed<?>) {
            return notReplayable(null);
        }
        if (outcome instanceof Outcome.Failed<?>) {
            return failed();
        }
        return outcome instanceof Outcome.Overtaken<?>
                ? problem(new Problem(
                        Problem.Type.OUTCOME_UNKNOWN,
                        500,
                        "The request was carried out, but its record had been settled otherwise."))
                : duplicate(outcome);
    }

    Answer duplicate(Outcome<?> outcome) {
        if (outcome instanceof Outcome.InProgress<?> busy) {
            String detail =
                    policy.busyMessage == null ? "Another request with this key is being handled." : policy.busyMessage;
            Problem problem = Problem.of(Problem.Type.IN_PROGRESS, detail);
            return problem(problem.withStatus(policy.busyStatus), retryAfter(busy.retryAfter()), Map.of());
        }
        if (outcome instanceof Outcome.Conflict<?> conflict) {
            String detail = conflict.fields().isEmpty()
                    ? "The request differs from the one that this key was first used for."
                    : "The request differs from the one that this key was first used for, in "
                            + String.join(", ", conflict.fields()) + ".";
            return problem(Problem.of(Problem.Type.KEY_REUSED, detail), List.of(), Map.of("fields", conflict.fields()));
        }
        if (outcome instanceof Outcome.Unknown<?> unknown) {
            Problem problem = Problem.of(
                    Problem.Type.OUTCOME_UNKNOWN,
                    "An earlier request with this key was not answered; it is not repeated until somebody knows what became of it.");
            List<Field> headers = new ArrayList<>(retryAfter(UNKNOWN_PAUSE));
            String address = statusAddress.get();
            if (address != null) {
                headers.add(new Field("Link", "<" + address + ">; rel=\"status\""));
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
    private Answer attemptFailed() {
        Problem problem = Problem.of(
                Problem.Type.ATTEMPT_FAILED,
                "This request waited for another one with the same key, which has failed. It may be sent again.");
        return problem(problem, retryAfter(FAILED_PAUSE), Map.of());
    }

    /**
     * Leaves out the failure's message: it was meant for the application, or written by the operator who settled the request, not for
     * clients.
     */
    private Answer failed() {
        return problem(Problem.of(Problem.Type.OPERATION_FAILED, "It is not tried again."));
    }

    private Answer refused(Outcome.Rejected<?> refused) {
        Problem.Type type = switch (refused.reason()) {
            case DUPLICATE -> Problem.Type.DUPLICATE;
            case LATE -> Problem.Type.RESULT_NOT_REPLAYABLE;
            case SUPERSEDED -> Problem.Type.KEY_REUSED;
            case EXHAUSTED -> Problem.Type.OPERATION_FAILED;
            case TOKEN_MISSING -> Problem.Type.TOKEN_MISSING;
            case TOKEN_FOREIGN -> Problem.Type.TOKEN_FOREIGN;
            case TOKEN_EXPIRED -> Problem.Type.TOKEN_EXPIRED;
        };
        return problem(Problem.of(type, refused.message()), List.of(), Map.of());
    }

    Answer problem(Problem problem) {
        return problem(problem, List.of(), Map.of());
    }

    private Answer problem(Problem problem, List<Field> headers, Map<String, ?> more) {
        refusals.accept(problem.type());
        List<Field> all = new ArrayList<>(headers);
        all.addAll(cors);
        return words.tell(problem, all, more);
    }

    private void common(List<Field> headers, @Nullable StoredResponse kept) {
        if (echo != null && !has(headers, echo.name())) {
            headers.add(echo);
        }
        // a response stored by an earlier release does not say until when it is replayed
        if (kept != null && kept.whole() && kept.until() > 0 && Covered.yes(policy.tellKeep)) {
            headers.add(new Field("Idempotency-Key-Expires", words.date(Instant.ofEpochSecond(kept.until()))));
        }
        if (profile == Profile.AZURE) {
            headers.add(new Field("Repeatability-Result", "accepted"));
        }
        Cors.join(cors, headers);
    }

    private static boolean has(List<Field> headers, String name) {
        for (Field field : headers) {
            if (field.name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    /** The pause in whole seconds, at least one, because clients understand nothing finer. */
    private static List<Field> retryAfter(Duration pause) {
        return List.of(new Field(
                "Retry-After", Long.toString(Math.max(1, pause.plusMillis(999).toSeconds()))));
    }
}
