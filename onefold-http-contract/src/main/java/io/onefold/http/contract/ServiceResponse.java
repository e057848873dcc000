package io.onefold.http.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A response of the test service. Immutable; each method returns a changed copy.
 *
 * @param interim the statuses that are sent before it
 * @param pieces the pieces of the body, each flushed; the service passes its {@linkplain TestService#hold gate} before
 *     each but the first
 * @param end the end of the response, after the last piece
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

    /**
     * Returns a copy that the service gives by throwing, if it is code that throws; elsewhere it is a response like any
     * other.
     */
    ServiceResponse thrown() {
        return new ServiceResponse(status, interim, headers, trailers, pieces, ResponseEnd.THROWN);
    }

    private static <T> List<T> plus(List<T> list, T last) {
        List<T> longer = new ArrayList<>(list);
        longer.add(last);
        return List.copyOf(longer);
    }
}
