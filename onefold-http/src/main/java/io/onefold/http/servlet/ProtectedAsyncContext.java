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
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context that the application gets for a request that it handles asynchronously. When the application says that it
 * is done, the response is recorded before the container is told. The container sends its events to this context alone,
 * which passes them to the application's listeners. Their reaction to a timeout counts as the application's response.
 */
final class ProtectedAsyncContext implements AsyncContext, AsyncListener {
    private static final Logger LOG = LoggerFactory.getLogger(ProtectedAsyncContext.class);

    private final ServletExchange held;
    private final ServletInvocation running;
    private final AsyncContext real;
    private final ServletRequest request;
    private final ServletResponse response;
    private final List<RegisteredListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicReference<AsyncState> state = new AtomicReference<>(AsyncState.OPEN);
    private final AtomicBoolean completionTold = new AtomicBoolean();
    private volatile long timeout;

    private enum AsyncState {
        OPEN,
        COMPLETED,
        DISPATCHED
    }

    ProtectedAsyncContext(
            ServletExchange held,
            ServletInvocation running,
            AsyncContext real,
            ServletRequest request,
            ServletResponse response) {
        this.held = held;
        this.running = running;
        this.real = real;
        this.request = request;
        this.response = response;
        this.timeout = real.getTimeout();
        real.addListener(this);
    }

    @Override
    public void complete() {
        leave(AsyncState.COMPLETED);
        tellCompletion();
        running.ended();
    }

    @Override
    public void dispatch() {
        dispatch(real::dispatch);
    }

    @Override
    public void dispatch(String path) {
        dispatch(() -> real.dispatch(path));
    }

    @Override
    public void dispatch(@Nullable ServletContext context, String path) {
        dispatch(() -> real.dispatch(context, path));
    }

    private void dispatch(Runnable dispatching) {
        leave(AsyncState.DISPATCHED);
        try {
            dispatching.run();
        } catch (RuntimeException e) {
            state.set(AsyncState.OPEN); // nothing came of it
            running.stranded();
            throw e;
        }
    }

    private void leave(AsyncState to) {
        if (!state.compareAndSet(AsyncState.OPEN, to)) {
            throw new IllegalStateException("completed or dispatched before");
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        held.ending();
        tell(AsyncListener::onTimeout, event.getThrowable());
        if (state.compareAndSet(AsyncState.OPEN, AsyncState.COMPLETED)) {
            running.failed(new TimeoutException("the application has not answered within " + timeout + " ms"), true);
        }
        if (state.get() == AsyncState.COMPLETED) {
            held.awaitDelivery();
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        held.closed();
        tell(AsyncListener::onError, event.getThrowable());
        if (state.get() != AsyncState.DISPATCHED) {
            held.giveUp();
        }
    }

    /** Receives the end of the request from the container, which may have ended it without the application. */
    @Override
    public void onComplete(AsyncEvent event) {
        held.closed();
        tellCompletion();
        if (state.get() == AsyncState.OPEN) {
            running.expectEnd(timeout);
        } else if (state.get() == AsyncState.DISPATCHED) {
            held.passedBy();
        }
    }

    /** Once, by whoever ends the request. */
    void tellCompletion() {
        if (completionTold.compareAndSet(false, true)) {
            tell(AsyncListener::onComplete, null);
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}

    private void tell(ListenerNotification telling, @Nullable Throwable thrown) {
        for (RegisteredListener one : listeners) {
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
        listeners.add(new RegisteredListener(listener, request, response));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest given, ServletResponse alsoGiven) {
        listeners.add(new RegisteredListener(listener, given, alsoGiven));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return real.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        real.setTimeout(millis);
        timeout = millis;
    }

    @Override
    public long getTimeout() {
        return timeout;
    }

    private record RegisteredListener(AsyncListener listener, ServletRequest request, ServletResponse response) {}

    private interface ListenerNotification {
        void tell(AsyncListener listener, AsyncEvent event) throws IOException;
    }
}
