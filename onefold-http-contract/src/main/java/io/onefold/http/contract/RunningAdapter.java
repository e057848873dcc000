package io.onefold.http.contract;

/** A door that listens. */
public interface RunningAdapter extends AutoCloseable {

    /** Where it listens, on the loopback address, with HTTP/1.1 and without TLS. */
    int port();

    @Override
    void close() throws Exception;
}
