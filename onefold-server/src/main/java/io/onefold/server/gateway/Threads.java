package io.onefold.server.gateway;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The threads of a gateway: few, since no request keeps one while it waits for its body, for another request or for the service. */
final class Threads {
    private static final int KEPT = 4;
    private static final int QUEUED = 10_000;
    private static final int WAITING_FOR_KEYS = 64;

    private Threads() {}

    /** For clients and service alike. Some of them accept and select; a burst of requests waits for the others, and starts no more. */
    static QueuedThreadPool network() {
        QueuedThreadPool pool = new QueuedThreadPool(8 + Runtime.getRuntime().availableProcessors(), KEPT);
        pool.setName("onefold-http");
        return pool;
    }

    /** That take the service's answers: one could not do that for many processors. */
    static int selectors() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    /**
     * For calls of the store.
     *
     * @param most as many as the store can take at once: more would only wait for its connections
     */
    static Executor store(int most) {
        return pool("onefold-store", most, QUEUED);
    }

    /** For requests that wait until the keys of tokens are fetched: one fetches, and where it hangs the others hear so soon. */
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
