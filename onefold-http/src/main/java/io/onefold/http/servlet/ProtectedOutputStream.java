package io.onefold.http.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** The stream that the application writes its response to. It is always ready. */
final class ProtectedOutputStream extends ServletOutputStream {
    private final ProtectedServletResponse response;

    ProtectedOutputStream(ProtectedServletResponse response) {
        this.response = response;
    }

    @Override
    public void write(int b) throws IOException {
        response.write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        response.write(bytes, from, count);
    }

    @Override
    public void flush() throws IOException {
        response.flush();
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        try {
            listener.onWritePossible();
        } catch (IOException | RuntimeException e) {
            listener.onError(e);
        }
    }
}
