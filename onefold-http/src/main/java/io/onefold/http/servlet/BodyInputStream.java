package io.onefold.http.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A body that is there already: always ready. */
final class BodyInputStream extends ServletInputStream {
    private final InputStream body;
    private long left;
    private boolean told;
    private @Nullable ReadListener listener;

    /**
     * @param length of all of it
     */
    BodyInputStream(InputStream body, long length) {
        this.body = body;
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        int b = body.read();
        count(b < 0 ? -1 : 1);
        return b;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int n = body.read(bytes, from, length);
        count(n);
        return n;
    }

    private void count(int read) throws IOException {
        if (read < 0) {
            left = 0;
            tellAllRead();
        } else {
            left -= read;
        }
    }

    @Override
    public boolean isFinished() {
        return left <= 0;
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
            if (!isFinished()) {
                given.onDataAvailable();
            }
            if (isFinished()) {
                // who stops at the last byte never meets the end behind it
                tellAllRead();
            }
        } catch (IOException | RuntimeException e) {
            given.onError(e);
        }
    }

    private void tellAllRead() throws IOException {
        ReadListener waiting = listener;
        if (!told && waiting != null) {
            told = true;
            waiting.onAllDataRead();
        }
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
