package io.onefold.http.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the business answers. Immutable; each method returns a changed copy.
 *
 * @param interim statuses that are told before it
 * @param pieces of the body, each flushed; before each but the first the business passes its {@linkplain TestService#hold gate}
 * @param end what comes after the last piece
 */
record ServiceResponse(
        int status,
        List<Integer> interim,
        List<HeaderLine> headers,
        List<HeaderLine> trailers,
        List<byte[]> pieces,
        ResponseEnd end) {

    enum ResponseEnd {
        WHOLE,
        CUT,
        NEVER,
        THROWN
    }

    static ServiceResponse of(int status) {
        return new ServiceResponse(status, List.of(), List.of(), List.of(), List.of(), ResponseEnd.WHOLE);
    }

    static ServiceResponse json(int status, String body) {
        return of(status).with("Content-Type", "application/json").piece(body);
    }

    ServiceResponse with(String name, String value) {
        return new ServiceResponse(status, interim, plus(headers, new HeaderLine(name, value)), trailers, pieces, end);
    }

    ServiceResponse after(int early) {
        return new ServiceResponse(status, plus(interim, early), headers, trailers, pieces, end);
    }

    ServiceResponse trailer(String name, String value) {
        return new ServiceResponse(status, interim, headers, plus(trailers, new HeaderLine(name, value)), pieces, end);
    }

    ServiceResponse piece(String text) {
        return piece(text.getBytes(StandardCharsets.UTF_8));
    }

    ServiceResponse piece(byte[] bytes) {
        return new ServiceResponse(status, interim, headers, trailers, plus(pieces, bytes), end);
    }

    /** Fails after its last piece, so that its end never comes. */
    ServiceResponse breaksOff() {
        return new ServiceResponse(status, interim, headers, trailers, pieces, ResponseEnd.CUT);
    }

    /** Says its last piece again and again, until it is stopped. */
    ServiceResponse neverEnds() {
        return new ServiceResponse(status, interim, headers, trailers, pieces, ResponseEnd.NEVER);
    }

    /** What an exception is answered with, where the business is code that throws; elsewhere an answer like any other. */
    ServiceResponse thrown() {
        return new ServiceResponse(status, interim, headers, trailers, pieces, ResponseEnd.THROWN);
    }

    private static <T> List<T> plus(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return List.copyOf(longer);
    }
}
