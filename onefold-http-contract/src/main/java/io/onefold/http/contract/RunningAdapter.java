package io.onefold.http.contract;

/** An adapter that listens. */
public interface RunningAdapter extends AutoCloseable {

    /** Returns the port on the loopback address on which the adapter listens, with HTTP/1.1 and without TLS. */
    int port();

    @Override
    void close() throws Exception;
}
