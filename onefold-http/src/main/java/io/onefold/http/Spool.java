package io.onefold.http;

/** Takes a body piece by piece, refuses it as soon as it is too large, and keeps it for handling. */
public final class Spool implements AutoCloseable {

    public void write(byte[] bytes, int from, int length) throws RejectedException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
