package io.onefold.server.gateway;

import io.onefold.http.Answer;
import io.onefold.http.Field;
import io.onefold.http.HttpContract;
import io.onefold.http.Preflight;
import io.onefold.http.Problem;
import io.onefold.http.Produced;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Sends what the gateway has to say. */
final class Replies {
    private final HttpContract contract;
    private final Flights flights;

    Replies(HttpContract contract, Flights flights) {
        this.contract = contract;
        this.flights = flights;
    }

    /** In place of an answer of the service: nothing happened. */
    Produced notExecuted(Problem problem) {
        Answer answer = contract.answer(problem);
        return Produced.notExecuted(answer.status(), answer.headers(), answer.body());
    }

    /** In place of an answer of the service: nobody knows. */
    Produced unknown(Problem problem) {
        Answer answer = contract.answer(problem);
        return Produced.unknown(answer.status(), answer.headers(), answer.body());
    }

    /** What an answer has for the client, and what it says of the operation. */
    List<Field> answered(HttpFields headers) {
        return Headers.answered(headers, contract);
    }

    /** What an answer that passes has for the client. */
    List<Field> passed(Request request, HttpFields answered) {
        List<Field> fields = answered(answered);
        Preflight preflight = contract.preflight(new RequestHead(request, Callers.anonymous()));
        if (preflight != null && answered.contains(Preflight.ALLOW_ORIGIN)) {
            String said = String.join(", ", answered.getValuesList(Preflight.ALLOW_HEADERS));
            fields.removeIf(field -> field.name().equalsIgnoreCase(Preflight.ALLOW_HEADERS));
            fields.add(new Field(Preflight.ALLOW_HEADERS, preflight.allowing(said)));
        }
        return fields;
    }

    void problem(Problem problem, Request request, Response response, Callback callback) {
        send(contract.answer(problem, new RequestHead(request, Callers.anonymous())), request, response, callback);
    }

    void send(Answer answer, Request request, Response response, Callback callback) {
        response.setStatus(answer.status());
        Headers.copy(answer.headers(), response.getHeaders());
        if (!response.getHeaders().contains(HttpHeader.DATE)) {
            response.getHeaders()
                    .put(request.getConnectionMetaData()
                            .getConnector()
                            .getServer()
                            .getDateField());
        }
        lastOnConnection(response);
        boolean bodiless = answer.status() == 204 || answer.status() == 304;
        if (!bodiless) {
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().length);
        }
        boolean head = "HEAD".equals(request.getMethod());
        response.write(true, ByteBuffer.wrap(bodiless || head ? new byte[0] : answer.body()), callback);
    }

    /**
     * The answer of the service goes out as it comes. Without a length it goes out in chunks, also on a connection that is closed after
     * it: there the end of the connection would be the end of the answer, and a cut one would pass for whole. Clients of HTTP/1.0 take no
     * chunks, and Jetty sends them none; see {@link Landing}.
     */
    void passOn(Response response) {
        lastOnConnection(response);
        if (!response.getHeaders().contains(HttpHeader.CONTENT_LENGTH)) {
            response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, "chunked");
        }
    }

    /** While draining, a client is to go elsewhere with its next request. */
    private void lastOnConnection(Response response) {
        if (flights.draining()) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
    }
}
