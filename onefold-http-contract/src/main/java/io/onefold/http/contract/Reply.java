package io.onefold.http.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the business answers. Immutable; each method returns a changed copy.
 *
 * @param interim statuses that are told before it
 * @param pieces of the body, each flushed; before each but the first the business passes its {@linkplain Business#hold gate}
 * @param end what comes after the last piece
 */
record Reply(int status, List<Integer> interim, List<Line> headers, List<Line> trailers, List<byte[]> pieces, End end) {

    enum End {
        WHOLE,
        CUT,
        NEVER,
        THROWN
    }

    static Reply of(int status) {
        return new Reply(status, List.of(), List.of(), List.of(), List.of(), End.WHOLE);
    }

    static Reply json(int status, String body) {
        return of(status).with("Content-Type", "application/json").piece(body);
    }

    Reply with(String name, String value) {
        return new Reply(status, interim, plus(headers, new Line(name, value)), trailers, pieces, end);
    }

    Reply after(int early) {
        return new Reply(status, plus(interim, early), headers, trailers, pieces, end);
    }

    Reply trailer(String name, String value) {
        return new Reply(status, interim, headers, plus(trailers, new Line(name, value)), pieces, end);
    }

    Reply piece(String text) {
        return piece(text.getBytes(StandardCharsets.UTF_8));
    }

    Reply piece(byte[] bytes) {
        return new Reply(status, interim, headers, trailers, plus(pieces, bytes), end);
    }

    /** Fails after its last piece, so that its end never comes. */
    Reply breaksOff() {
        return new Reply(status, interim, headers, trailers, pieces, End.CUT);
    }

    /** Says its last piece again and again, until it is stopped. */
    Reply neverEnds() {
        return new Reply(status, interim, headers, trailers, pieces, End.NEVER);
    }

    /** What an exception is answered with, where the business is code that throws; elsewhere an answer like any other. */
    Reply thrown() {
        return new Reply(status, interim, headers, trailers, pieces, End.THROWN);
    }

    private static <T> List<T> plus(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return List.copyOf(longer);
    }
}
