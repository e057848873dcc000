package io.onefold.store.contract;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Work;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A way into an engine, so that the same cases go through each, and through engines that are broken on purpose. */
public interface EngineCaller extends AutoCloseable {

    /** Returns the outcome of the request; throws the exception of the work. */
    <T> Outcome<T> attempt(Operation<T> operation, Key key, Work<T, ?> work) throws Exception;

    default Key key(String value, @Nullable Object payload) {
        return Key.of(value).matching(payload);
    }

    @Override
    void close();

    /** On the caller's thread. */
    static EngineCaller blocking(Onefold onefold) {
        return new EngineCaller() {
            @Override
            public <T> Outcome<T> attempt(Operation<T> operation, Key key, Work<T, ?> work) throws Exception {
                return onefold.attempt(operation, key, work);
            }

            @Override
            public void close() {
                onefold.close();
            }
        };
    }

    /** Without a thread; the work runs on one of its own. */
    static EngineCaller async(Onefold onefold) {
        return new FutureEngineCaller(onefold) {
            @Override
            <T> CompletableFuture<Outcome<T>> begin(Operation<T> operation, Key key, Work<T, ?> work) {
                return onefold.attemptAsync(operation, key, attempt -> {
                    CompletableFuture<T> running = new CompletableFuture<>();
                    Thread thread = new Thread(() -> {
                        try {
                            running.complete(work.run(attempt));
                        } catch (Throwable e) {
                            running.completeExceptionally(e);
                        }
                    });
                    thread.setDaemon(true);
                    thread.start();
                    return running;
                });
            }
        };
    }

    /** On the caller's thread as far as it goes; waiting holds none. */
    static EngineCaller here(Onefold onefold) {
        return new FutureEngineCaller(onefold) {
            @Override
            <T> CompletableFuture<Outcome<T>> begin(Operation<T> operation, Key key, Work<T, ?> work) {
                return onefold.attemptHere(
                        operation, key, attempt -> CompletableFuture.completedFuture(work.run(attempt)));
            }
        };
    }

    /** The ways into one engine. */
    enum CallStyle {
        BLOCKING,
        ASYNC;

        public EngineCaller into(Onefold onefold) {
            return this == BLOCKING ? blocking(onefold) : async(onefold);
        }
    }
}
