package io.onefold.http.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A body that is there already: always ready. */
final class BodyInput extends ServletInputStream {
    private final InputStream body;
    private boolean finished;
    private @Nullable ReadListener listener;

    BodyInput(InputStream body) {
        this.body = body;
    }

    @Override
    public int read() throws IOException {
        int b = body.read();
        if (b < 0) {
            ended();
        }
        return b;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int n = body.read(bytes, from, length);
        if (n < 0) {
            ended();
        }
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

    /** Called once: since it is always ready, nobody waits to be called again. */
    @Override
    public void setReadListener(ReadListener given) {
        listener = given;
        try {
            given.onDataAvailable();
        } catch (IOException | RuntimeException e) {
            given.onError(e);
        }
    }

    private void ended() throws IOException {
        ReadListener told = listener;
        if (!finished && told != null) {
            finished = true;
            told.onAllDataRead();
        }
        finished = true;
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
