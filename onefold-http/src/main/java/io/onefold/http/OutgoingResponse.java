package io.onefold.http;

import java.util.List;

/**
 * The response that an adapter sends.
 *
 * @param headers all headers except the length, the date and those that concern the connection
 * @param sent true if the response went out already, as a stream: then there is nothing left to send
 */
@SuppressWarnings("ArrayRecordComponent") // sent once, and never compared
public record OutgoingResponse(int status, List<HeaderField> headers, byte[] body, boolean sent) {}
