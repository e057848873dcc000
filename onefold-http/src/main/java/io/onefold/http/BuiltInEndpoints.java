package io.onefold.http;

import io.onefold.Onefold;
import io.onefold.TokenStore;
import io.onefold.payload.PayloadFormatter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The paths that are Onefold's own: what is kept and for how long, what became of a request, and tokens. An address of a request names
 * its operation and key, which whoever asks knows; whose request it is comes from who asks, so nobody sees another's.
 */
final class BuiltInEndpoints {
    private static final String WELL_KNOWN = "/.well-known/onefold";
    private static final String STATUS = WELL_KNOWN + "/operations/";
    private static final String TOKENS = "/onefold/tokens/";

    private final Onefold onefold;
    private final RouteTable routes;
    private final ProblemFormat words;
    private final @Nullable TokenStore tokens;
    private final Set<String> alsoIssued;
    private final boolean statusQueries;

    /** @param alsoIssued operations that somebody else claims, with tokens from here */
    BuiltInEndpoints(
            Onefold onefold,
            RouteTable routes,
            ProblemFormat words,
            @Nullable TokenStore tokens,
            Set<String> alsoIssued,
            boolean statusQueries) {
        this.onefold = onefold;
        this.routes = routes;
        this.words = words;
        this.tokens = tokens;
        this.alsoIssued = alsoIssued;
        this.statusQueries = statusQueries;
    }

    @Nullable
    String statusAddress(ProtectedOperation covered, Caller caller, String key) {
        if (!statusQueries) {
            return null;
        }
        // as it is stored: where keys are hashed, addresses show no more than records do
        RecordId id = onefold.id(covered.operation(), RequestIdentity.unprinted(covered, caller, key));
        String operation = id.operation();
        byte[] name = (operation.length() + ":" + operation + id.key()).getBytes(StandardCharsets.UTF_8);
        return STATUS + Base64.getUrlEncoder().withoutPadding().encodeToString(name);
    }

    /** Returns true if the path is one of these endpoints. */
    boolean answers(RequestHead head) {
        String path = head.path();
        boolean queried = path.equals(WELL_KNOWN) || path.startsWith(STATUS);
        return (statusQueries && head.method().equals("GET") && queried)
                || (tokens != null && head.method().equals("POST") && path.startsWith(TOKENS));
    }

    /** Null if the path is not one of these. */
    @Nullable
    OutgoingResponse answer(RequestHead head) {
        if (!answers(head)) {
            return null;
        }
        String path = head.path();
        try {
            if (path.equals(WELL_KNOWN)) {
                return wellKnown();
            }
            return path.startsWith(STATUS)
                    ? status(head, path.substring(STATUS.length()))
                    : token(Objects.requireNonNull(tokens), head, path.substring(TOKENS.length()));
        } catch (StoreException e) {
            return problem(Problem.of(Problem.ProblemType.STORE_UNAVAILABLE, "Try again."));
        }
    }

    private OutgoingResponse wellKnown() {
        List<Map<String, Object>> operations = new ArrayList<>();
        for (ProtectedOperation covered : routes.operations()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("operation", covered.operation().name());
            one.put("required", covered.required());
            one.put(
                    "sources",
                    covered.sources().stream().map(KeySource::toString).toList());
            one.put(
                    "keep-seconds",
                    Objects.requireNonNull(covered.policy().keep).toSeconds());
            operations.add(one);
        }
        return json(200, Map.of("operations", operations));
    }

    private OutgoingResponse status(RequestHead head, String name) {
        Caller caller = head.caller();
        if (caller == null) {
            return problem(
                    Problem.of(Problem.ProblemType.UNAUTHENTICATED, "It is told to who has sent the request only."));
        }
        Optional<StoredRecord> record = find(caller, name);
        if (record.isEmpty()) {
            return problem(Problem.of(Problem.ProblemType.NOT_FOUND, "There is no such request of yours."));
        }
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("status", record.get().status().name().toLowerCase(Locale.ROOT));
        told.put("attempts", record.get().attempts());
        told.put("since", instant(record.get().times().createdAt()));
        told.put("updated", instant(record.get().times().updatedAt()));
        return json(200, told);
    }

    private Optional<StoredRecord> find(Caller caller, String name) {
        String text;
        try {
            text = new String(Base64.getUrlDecoder().decode(name), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        int colon = text.indexOf(':');
        if (colon < 1 || colon > 3 || !text.substring(0, colon).chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        int end = colon + 1 + Integer.parseInt(text.substring(0, colon));
        if (end >= text.length()) {
            return Optional.empty();
        }
        ProtectedOperation covered = routes.named(text.substring(colon + 1, end));
        if (covered == null) {
            return Optional.empty();
        }
        try {
            RecordId id = id(covered, caller, text.substring(end));
            return Optional.ofNullable(onefold.store().find(id)).map(RecordSnapshot::record);
        } catch (IllegalArgumentException | IllegalStateException e) {
            return Optional.empty(); // no key, or that of another caller
        }
    }

    /** In the scope of whoever asks: what another has got leads nowhere. */
    private RecordId id(ProtectedOperation covered, Caller caller, String stored) {
        RecordId any = onefold.id(covered.operation(), RequestIdentity.unprinted(covered, caller, "any"));
        return ProtectedOperation.yes(covered.policy().hashKeys)
                ? RecordId.ofHash(any.scope(), any.operation(), stored)
                : RecordId.of(any.scope(), any.operation(), stored);
    }

    private OutgoingResponse token(TokenStore issuing, RequestHead head, String operation) {
        ProtectedOperation covered = routes.named(operation);
        boolean takes =
                alsoIssued.contains(operation) || (covered != null && ProtectedOperation.yes(covered.policy().tokens));
        if (!takes) {
            return problem(
                    Problem.of(Problem.ProblemType.NOT_FOUND, "There is no operation of that name that takes tokens."));
        }
        Caller caller = head.caller();
        if (caller == null) {
            return problem(Problem.of(Problem.ProblemType.UNAUTHENTICATED, "A token is issued to somebody."));
        }
        String token = issuing.issue(operation, caller.user());
        return json(201, Map.of("token", token, "expires_in", issuing.life().toSeconds()));
    }

    private static String instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }

    private OutgoingResponse problem(Problem problem) {
        return words.tell(problem, List.of(), Map.of());
    }

    private static OutgoingResponse json(int status, Map<String, ?> members) {
        List<HeaderField> headers = List.of(
                new HeaderField("Content-Type", "application/json"), new HeaderField("Cache-Control", "no-store"));
        return new OutgoingResponse(status, headers, PayloadFormatter.json(members), false);
    }
}
