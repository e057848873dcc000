package io.onefold.server.gateway;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The threads of a gateway. They are few, since a request holds none while it waits for its body, for another request or
 * for the service.
 */
final class GatewayThreads {
    private static final int KEPT = 4;
    private static final int QUEUED = 10_000;
    private static final int WAITING_FOR_KEYS = 64;

    private GatewayThreads() {}

    /**
     * Returns the pool for clients and service. Some threads accept and select; a burst of requests waits for the
     * others, and starts no more.
     */
    static QueuedThreadPool network() {
        QueuedThreadPool pool = new QueuedThreadPool(8 + Runtime.getRuntime().availableProcessors(), KEPT);
        pool.setName("onefold-http");
        return pool;
    }

    /** Returns the number of threads that read the service's responses: one is not enough for many processors. */
    static int selectors() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    /**
     * Returns the executor for calls of the store.
     *
     * @param most as many as the store can serve at once: more would only wait for its connections
     */
    static Executor store(int most) {
        return pool("onefold-store", most, QUEUED);
    }

    /**
     * Returns the executor for requests that wait for the keys of tokens: one of them fetches, and if it hangs the
     * others fail soon.
     */
    static Executor keys() {
        return pool("onefold-keys", KEPT, WAITING_FOR_KEYS);
    }

    private static Executor pool(String name, int most, int queued) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(most, most, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(queued), task -> {
                    Thread daemon = new Thread(task, name);
                    daemon.setDaemon(true);
                    return daemon;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
