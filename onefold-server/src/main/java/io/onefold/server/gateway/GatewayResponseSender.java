package io.onefold.server.gateway;

import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
import io.onefold.http.HttpContract;
import io.onefold.http.OutgoingResponse;
import io.onefold.http.PreflightHeaders;
import io.onefold.http.Problem;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Sends the gateway's own responses. */
final class GatewayResponseSender {
    private final HttpContract contract;
    private final InFlightRequests flights;

    GatewayResponseSender(HttpContract contract, InFlightRequests flights) {
        this.contract = contract;
        this.flights = flights;
    }

    /** Returns the result "not executed" in place of a response of the service. */
    HandlerResponse notExecuted(Problem problem) {
        OutgoingResponse answer = contract.answer(problem);
        return HandlerResponse.notExecuted(answer.status(), answer.headers(), answer.body());
    }

    /** Returns the result "unknown" in place of a response of the service. */
    HandlerResponse unknown(Problem problem) {
        OutgoingResponse answer = contract.answer(problem);
        return HandlerResponse.unknown(answer.status(), answer.headers(), answer.body());
    }

    /** Returns the headers of a response for the client, and those about the operation. */
    List<HeaderField> answered(HttpFields headers) {
        return ForwardableHeaders.answered(headers, contract);
    }

    /** Returns the headers for the client of a response that is passed on. */
    List<HeaderField> passed(Request request, HttpFields answered) {
        List<HeaderField> fields = answered(answered);
        PreflightHeaders preflight =
                contract.preflight(new JettyRequestHead(request, GatewayCallerResolver.anonymous()));
        if (preflight != null && answered.contains(PreflightHeaders.ALLOW_ORIGIN)) {
            String said = String.join(", ", answered.getValuesList(PreflightHeaders.ALLOW_HEADERS));
            fields.removeIf(field -> field.name().equalsIgnoreCase(PreflightHeaders.ALLOW_HEADERS));
            fields.add(new HeaderField(PreflightHeaders.ALLOW_HEADERS, preflight.allowing(said)));
        }
        return fields;
    }

    void problem(Problem problem, Request request, Response response, Callback callback) {
        send(
                contract.answer(problem, new JettyRequestHead(request, GatewayCallerResolver.anonymous())),
                request,
                response,
                callback);
    }

    void send(OutgoingResponse answer, Request request, Response response, Callback callback) {
        response.setStatus(answer.status());
        ForwardableHeaders.copy(answer.headers(), response.getHeaders());
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
     * Sends the response of the service on as it arrives. Without a length it is sent in chunks, even on a connection
     * that is closed afterwards: there the end of the connection would end the response, and a cut one would look whole.
     * Clients of HTTP/1.0 do not understand chunks, and Jetty sends them none; see {@link CompletionCallback}.
     */
    void passOn(Response response) {
        lastOnConnection(response);
        if (!response.getHeaders().contains(HttpHeader.CONTENT_LENGTH)) {
            response.getHeaders().put(HttpHeader.TRANSFER_ENCODING, "chunked");
        }
    }

    /** Closes the connection after this response while draining, so that the client goes elsewhere with its next request. */
    private void lastOnConnection(Response response) {
        if (flights.draining()) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
    }
}
