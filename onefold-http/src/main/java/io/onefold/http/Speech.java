package io.onefold.http;

import io.onefold.InProgressException;
import io.onefold.OnefoldException;
import io.onefold.ShadowObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whatever the contract has to say, in the words of its profile, and so that scripts which may read it can. */
final class Speech {
    private final Profile profile;
    private final ReplayMarker marker;
    private final Words words;
    private final Cors cors;
    private final Routes routes;

    /** Hears of everything that is refused. */
    private final Consumer<Problem.Type> refusals;

    Speech(
            Profile profile,
            ReplayMarker marker,
            Words words,
            Cors cors,
            Routes routes,
            Consumer<Problem.Type> refusals) {
        this.profile = profile;
        this.marker = marker;
        this.words = words;
        this.cors = cors;
        this.routes = routes;
        this.refusals = refusals;
    }

    Answer answer(Problem problem, @Nullable Head head) {
        refusals.accept(problem.type());
        return words.tell(problem, head == null ? List.of() : cors(head), Map.of());
    }

    Answer answer(OnefoldException why, Head head) {
        Policy route = routes.policy(head.method(), head.path());
        String message = why instanceof InProgressException busy ? busy.words() : null;
        Policy policy = message == null ? route : route.busyMessage(message);
        Answers told = new Answers(words, profile, marker, policy, cors(head), null, () -> null, refusals);
        return told.instead(why.outcome());
    }

    /** To one request. */
    Answers answers(Covered covered, Head head, @Nullable Caller caller, @Nullable String key, OwnPaths ownPaths) {
        boolean echoes = !covered.headers().isEmpty() && profile != Profile.LEGACY;
        Field echo = echoes && key != null ? new Field(covered.headers().get(0), KeySyntax.spelled(key)) : null;
        return new Answers(
                words,
                profile,
                marker,
                covered.policy(),
                cors.headers(head, covered.headers()),
                echo,
                () -> key == null || caller == null ? null : ownPaths.statusAddress(covered, caller, key),
                refusals);
    }

    Answer withCors(Answer answer, Head head) {
        List<Field> headers = new ArrayList<>(answer.headers());
        headers.addAll(cors(head));
        return new Answer(answer.status(), headers, answer.body(), answer.sent());
    }

    private List<Field> cors(Head head) {
        Covered covered = routes.of(head.method(), head.path());
        return cors.headers(head, covered == null ? List.of() : covered.headers());
    }

    @Nullable
    Preflight preflight(Head head) {
        String method = cors.asked(head);
        Covered covered = method == null ? null : routes.of(method, head.path());
        return covered == null || covered.headers().isEmpty() ? null : new Preflight(covered.headers());
    }

    /** In shadow. */
    void observedRefusal(Covered covered, Problem problem) {
        ShadowObserver.refused(
                covered.operation().name(),
                words.status(problem) + " " + problem.type().title() + ": " + problem.detail());
    }
}
