package io.onefold.http.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that is there already: always ready. */
final class BodyInput extends ServletInputStream {
    private final InputStream body;
    private boolean finished;

    BodyInput(InputStream body) {
        this.body = body;
    }

    @Override
    public int read() throws IOException {
        int b = body.read();
        finished |= b < 0;
        return b;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int n = body.read(bytes, from, length);
        finished |= n < 0;
        return n;
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        try {
            while (!finished) {
                listener.onDataAvailable();
            }
            listener.onAllDataRead();
        } catch (IOException | RuntimeException e) {
            listener.onError(e);
        }
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
