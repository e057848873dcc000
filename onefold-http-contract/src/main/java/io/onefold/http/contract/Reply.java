package io.onefold.http.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the business answers. Immutable; each method returns a changed copy.
 *
 * @param interim statuses that are told before it
 * @param pieces of the body, each flushed; before each but the first the business passes its {@linkplain Business#hold gate}
 * @param cut whether the business fails after the last piece instead of ending its answer
 */
record Reply(
        int status, List<Integer> interim, List<Line> headers, List<Line> trailers, List<byte[]> pieces, boolean cut) {

    static Reply of(int status) {
        return new Reply(status, List.of(), List.of(), List.of(), List.of(), false);
    }

    static Reply json(int status, String body) {
        return of(status).with("Content-Type", "application/json").piece(body);
    }

    Reply with(String name, String value) {
        return new Reply(status, interim, plus(headers, new Line(name, value)), trailers, pieces, cut);
    }

    Reply after(int early) {
        return new Reply(status, plus(interim, early), headers, trailers, pieces, cut);
    }

    Reply trailer(String name, String value) {
        return new Reply(status, interim, headers, plus(trailers, new Line(name, value)), pieces, cut);
    }

    Reply piece(String text) {
        return piece(text.getBytes(StandardCharsets.UTF_8));
    }

    Reply piece(byte[] bytes) {
        return new Reply(status, interim, headers, trailers, plus(pieces, bytes), cut);
    }

    /** Fails after its last piece, so that its end never comes. */
    Reply breaksOff() {
        return new Reply(status, interim, headers, trailers, pieces, true);
    }

    private static <T> List<T> plus(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return List.copyOf(longer);
    }
}
