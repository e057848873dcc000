package io.onefold.http.contract;

import java.io.IOException;
import java.util.List;

/** The target to which the test service writes its response. A fixture translates it to the API of its server. */
public interface ResponseSink {

    /** An answer before the answer, with a status below 200; nothing where a server has no way to give one. */
    default void interim(int status, List<HeaderLine> headers) throws IOException {}

    /** Status, headers and trailers; before anything is written. */
    void begin(int status, List<HeaderLine> headers, List<HeaderLine> trailers) throws IOException;

    /** A piece of the body, flushed. */
    void write(byte[] piece) throws IOException;

    /** After the body: it was that of an exception. A fixture that can throws one, which is answered with what was said. */
    default void thrown() {}
}
