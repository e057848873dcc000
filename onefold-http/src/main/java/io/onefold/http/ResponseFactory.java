package io.onefold.http;

import io.onefold.InProgressException;
import io.onefold.OnefoldException;
import io.onefold.ShadowObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the contract's own responses, in the format of its profile. Scripts that may read a response get the headers
 * that they need for it.
 */
final class ResponseFactory {
    private final HttpProfile profile;
    private final ReplayHeader marker;
    private final ProblemFormat words;
    private final CorsHeaders cors;
    private final RouteTable routes;

    /** Hears of everything that is refused. */
    private final Consumer<Problem.ProblemType> refusals;

    ResponseFactory(
            HttpProfile profile,
            ReplayHeader marker,
            ProblemFormat words,
            CorsHeaders cors,
            RouteTable routes,
            Consumer<Problem.ProblemType> refusals) {
        this.profile = profile;
        this.marker = marker;
        this.words = words;
        this.cors = cors;
        this.routes = routes;
        this.refusals = refusals;
    }

    OutgoingResponse answer(Problem problem, @Nullable RequestHead head) {
        refusals.accept(problem.type());
        return words.tell(problem, head == null ? List.of() : cors(head), Map.of());
    }

    OutgoingResponse answer(OnefoldException why, RequestHead head) {
        HttpPolicy route = routes.policy(head.method(), head.path());
        String message = why instanceof InProgressException busy ? busy.words() : null;
        HttpPolicy policy = message == null ? route : route.busyMessage(message);
        ResponseBuilder told =
                new ResponseBuilder(words, profile, marker, policy, cors(head), null, () -> null, refusals);
        return told.instead(why.outcome());
    }

    /** Returns the builder of the responses to one request. */
    ResponseBuilder answers(
            ProtectedOperation covered,
            RequestHead head,
            @Nullable Caller caller,
            @Nullable String key,
            BuiltInEndpoints ownPaths) {
        boolean echoes = !covered.headers().isEmpty() && profile != HttpProfile.LEGACY;
        HeaderField echo =
                echoes && key != null ? new HeaderField(covered.headers().get(0), KeySyntax.spelled(key)) : null;
        return new ResponseBuilder(
                words,
                profile,
                marker,
                covered.policy(),
                cors.headers(head, covered.headers()),
                echo,
                () -> key == null || caller == null ? null : ownPaths.statusAddress(covered, caller, key),
                refusals);
    }

    OutgoingResponse withCors(OutgoingResponse answer, RequestHead head) {
        List<HeaderField> headers = new ArrayList<>(answer.headers());
        headers.addAll(cors(head));
        return new OutgoingResponse(answer.status(), headers, answer.body(), answer.sent());
    }

    private List<HeaderField> cors(RequestHead head) {
        ProtectedOperation covered = routes.of(head.method(), head.path());
        return cors.headers(head, covered == null ? List.of() : covered.headers());
    }

    @Nullable
    PreflightHeaders preflight(RequestHead head) {
        String method = cors.asked(head);
        ProtectedOperation covered = method == null ? null : routes.of(method, head.path());
        return covered == null || covered.headers().isEmpty() ? null : new PreflightHeaders(covered.headers());
    }

    /** In shadow. */
    void observedRefusal(ProtectedOperation covered, Problem problem) {
        ShadowObserver.refused(
                covered.operation().name(),
                words.status(problem) + " " + problem.type().title() + ": " + problem.detail());
    }
}
