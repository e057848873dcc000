package io.onefold.http.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Tells when the container has let go of a request that waits, or waits to be recorded: its objects may serve another from then on. */
final class RequestReleaseListener implements AsyncListener {
    private final ServletExchange held;

    RequestReleaseListener(ServletExchange held) {
        this.held = held;
    }

    @Override
    public void onComplete(AsyncEvent event) {
        held.completed();
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {
        held.closed();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
