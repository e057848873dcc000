package io.onefold.http;

import java.util.List;

/**
 * What the door sends.
 *
 * @param headers all of them, but for the length, the date and what concerns the connection
 * @param sent whether it went out already, as a stream: then there is nothing left to send
 */
@SuppressWarnings("ArrayRecordComponent") // sent once, and never compared
public record Answer(int status, List<Field> headers, byte[] body, boolean sent) {}
