package io.onefold.http.servlet;

import io.onefold.http.ShadowExchange;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;

/** A body that is looked at as it is read. */
final class ShadowInputStream extends ServletInputStream {
    private final ServletInputStream body;
    private final ShadowExchange observation;

    ShadowInputStream(ServletInputStream body, ShadowExchange observation) {
        this.body = body;
        this.observation = observation;
    }

    @Override
    public int read() throws IOException {
        int b = body.read();
        if (b < 0 || observation.read(new byte[] {(byte) b}, 0, 1)) {
            observation.readToEnd();
        }
        return b;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int n = body.read(bytes, from, length);
        if (n < 0 || (n > 0 && observation.read(bytes, from, n))) {
            observation.readToEnd();
        }
        return n;
    }

    @Override
    public int available() throws IOException {
        return body.available();
    }

    @Override
    public boolean isFinished() {
        return body.isFinished();
    }

    @Override
    public boolean isReady() {
        return body.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        body.setReadListener(listener);
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
