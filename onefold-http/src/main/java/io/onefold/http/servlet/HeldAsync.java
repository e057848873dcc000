package io.onefold.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the application has of a request that it handles asynchronously. When it says that it is done, the answer is recorded before
 * the container hears of it. The container tells its events to this one alone, which tells the application's listeners: what they do
 * about a timeout counts as the application's answer.
 */
final class HeldAsync implements AsyncContext, AsyncListener {
    private static final Logger LOG = LoggerFactory.getLogger(HeldAsync.class);

    private final Held held;
    private final AsyncContext real;
    private final ServletRequest request;
    private final ServletResponse response;
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean completed;

    HeldAsync(Held held, AsyncContext real, ServletRequest request, ServletResponse response) {
        this.held = held;
        this.real = real;
        this.request = request;
        this.response = response;
        real.addListener(this);
    }

    @Override
    public void complete() {
        if (!over.compareAndSet(false, true)) {
            throw new IllegalStateException("completed or dispatched before");
        }
        completed = true;
        tell(AsyncListener::onComplete, null);
        held.ended();
    }

    @Override
    public void dispatch() {
        leaving();
        real.dispatch();
    }

    @Override
    public void dispatch(String path) {
        leaving();
        real.dispatch(path);
    }

    @Override
    public void dispatch(@Nullable ServletContext context, String path) {
        leaving();
        real.dispatch(context, path);
    }

    private void leaving() {
        if (!over.compareAndSet(false, true)) {
            throw new IllegalStateException("completed or dispatched before");
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        held.ending();
        tell(AsyncListener::onTimeout, event.getThrowable());
        if (over.compareAndSet(false, true)) {
            completed = true;
            held.failed(
                    new TimeoutException("the application has not answered within " + real.getTimeout() + " ms"), true);
        }
        if (completed) {
            held.awaitDelivery();
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        held.closed();
        tell(AsyncListener::onError, event.getThrowable());
    }

    /** Of the container; the application has heard of its own. */
    @Override
    public void onComplete(AsyncEvent event) {
        held.closed();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}

    private void tell(Telling telling, @Nullable Throwable thrown) {
        for (Listening one : listeners) {
            try {
                telling.tell(one.listener, new AsyncEvent(this, one.request, one.response, thrown));
            } catch (IOException | RuntimeException e) {
                LOG.warn("a listener of the application has failed", e);
            }
        }
    }

    @Override
    public ServletRequest getRequest() {
        return request;
    }

    @Override
    public ServletResponse getResponse() {
        return response;
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return false;
    }

    @Override
    public void start(Runnable task) {
        real.start(task);
    }

    @Override
    public void addListener(AsyncListener listener) {
        listeners.add(new Listening(listener, request, response));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest given, ServletResponse alsoGiven) {
        listeners.add(new Listening(listener, given, alsoGiven));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return real.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        real.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
        return real.getTimeout();
    }

    private record Listening(AsyncListener listener, ServletRequest request, ServletResponse response) {}

    private interface Telling {
        void tell(AsyncListener listener, AsyncEvent event) throws IOException;
    }
}
