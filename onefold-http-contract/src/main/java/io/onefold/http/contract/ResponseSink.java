package io.onefold.http.contract;

import java.io.IOException;
import java.util.List;

/** The target to which the test service writes its response. A fixture translates it to the API of its server. */
public interface ResponseSink {

    /** Sends an interim response, with a status below 200. Does nothing if a server has no way to send one. */
    default void interim(int status, List<HeaderLine> headers) throws IOException {}

    /** Status, headers and trailers; before anything is written. */
    void begin(int status, List<HeaderLine> headers, List<HeaderLine> trailers) throws IOException;

    /** A piece of the body, flushed. */
    void write(byte[] piece) throws IOException;

    /**
     * Ends a response, after its body, as that of an exception. A fixture that can throw does so, and its server
     * responds to the exception with what was written here.
     */
    default void thrown() {}
}
