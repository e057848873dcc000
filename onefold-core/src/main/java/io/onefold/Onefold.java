package io.onefold;

import io.onefold.payload.Codec;
import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.JsonCodec;
import io.onefold.payload.ResultSerializer;
import io.onefold.store.Change;
import io.onefold.store.PayloadRejectedException;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Store;
import io.onefold.store.StoreTransactions;
import io.onefold.store.StoredRecord;
import io.onefold.store.UpdateResult;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes operations safe to retry: the same request, however often it arrives, has one effect and one answer.
 *
 * <pre>{@code
 * Onefold onefold = Onefold.on(store);
 * Receipt receipt = onefold.run(CHARGE, Key.of(orderId).matching(order), attempt -> provider.charge(order, attempt.childKey("psp")));
 * }</pre>
 *
 * {@link #run} and {@link #attempt} are leased: the claim is written first, then the work runs, then its end is recorded. If its owner is lost in between, the outcome is
 * unknown until a probe or a person settles it, never silently repeated. {@code Upkeep} finds lost owners, asks the probes and sweeps.
 * {@link #inTransaction} and {@link #joined} commit record and effect together, in one database.
 */
public final class Onefold implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Onefold.class);

    private final EngineContext engine;
    private final Set<String> contentKeyed = ConcurrentHashMap.newKeySet();
    private final ShadowCallOrder observed = new ShadowCallOrder();
    private volatile boolean closed;

    private Onefold(EngineContext engine) {
        this.engine = engine;
    }

    public static Onefold on(Store store) {
        return builder(store).build();
    }

    public static Builder builder(Store store) {
        return new Builder(store);
    }

    /** The work's result, from this execution or the first; what has no result is an exception. The work's own pass unchanged. */
    public <T, X extends Exception> @Nullable T run(Operation<T> operation, Key key, Work<T, X> work) throws X {
        return value(operation, key, attempt(operation, key, work));
    }

    /** The value of an outcome; what has none is an exception that names the record. */
    public static <T> @Nullable T value(Operation<T> operation, Key key, Outcome<T> outcome) {
        try {
            return outcome.orThrow();
        } catch (OnefoldException e) {
            throw e.about(EngineContext.id(operation, key));
        }
    }

    /**
     * Runs the work unless the request is a duplicate, and returns the outcome of the request. It throws the exceptions
     * of the work itself, unchanged. It also throws if the outcome cannot be determined: the store cannot be asked, a
     * stored result cannot be read, or the call makes no sense.
     */
    public <T, X extends Exception> Outcome<T> attempt(Operation<T> operation, Key key, Work<T, X> work) throws X {
        check(operation, key);
        BlockingCall<T> flight = new BlockingCall<>(engine, operation, key, work);
        flight.fly();
        if (flight.answer.isCompletedExceptionally()) {
            throw ExceptionRethrower.<X>as(OperationCall.failure(flight.answer));
        }
        return flight.answer.join();
    }

    ShadowCallOrder observed() {
        return observed;
    }

    /**
     * Does the same as {@link #attempt} without holding a thread, neither while the work runs nor while a duplicate
     * waits for it.
     */
    public <T> CompletableFuture<Outcome<T>> attemptAsync(Operation<T> operation, Key key, AsyncWork<T> work) {
        check(operation, key);
        AsyncCall<T> flight = new AsyncCall<>(engine, operation, key, work, engine.executor());
        flight.lane.next(() -> flight.begin(engine.timer().nanos()));
        return flight.answer;
    }

    /**
     * Does the same as {@link #attemptAsync}, but on the caller's thread as far as possible. Unless there is another
     * execution to wait for, the work has begun when this returns. If the work ended at once, so has the call. This is
     * for callers that have a thread, but none to hold.
     */
    public <T> CompletableFuture<Outcome<T>> attemptHere(Operation<T> operation, Key key, AsyncWork<T> work) {
        check(operation, key);
        CallerRunsExecutor here = new CallerRunsExecutor(engine.executor());
        AsyncCall<T> flight = new AsyncCall<>(engine, operation, key, work, here);
        try {
            flight.begin(flight.began);
        } finally {
            here.leave();
        }
        return flight.answer;
    }

    /**
     * Does the same as {@link #run} in a transaction: the work's effect on the connection and its record are committed
     * together, or neither is. There is exactly one effect in that database. Onefold begins and ends the transaction.
     * If the database gives it up for another, nothing of it stays: the call ends in a {@link
     * io.onefold.store.ConflictingTransactionException} and may be made again. It runs the work again by itself if the
     * operation has {@link Operation#repeatOnConflict()}.
     */
    public <T, X extends Exception> @Nullable T inTransaction(
            Operation<T> operation, Key key, TransactionalWork<T, X> work) throws X {
        return value(operation, key, attemptInTransaction(operation, key, work));
    }

    /** Does the same as {@link #attempt} in a transaction: see {@link #inTransaction}. */
    public <T, X extends Exception> Outcome<T> attemptInTransaction(
            Operation<T> operation, Key key, TransactionalWork<T, X> work) throws X {
        return attemptInTransaction(joining(), operation, key, work);
    }

    /**
     * Does the same as {@link #attemptInTransaction(Operation, Key, TransactionalWork)}, with transactions that other
     * code begins and commits.
     */
    public <T, X extends Exception> Outcome<T> attemptInTransaction(
            StoreTransactions transactions, Operation<T> operation, Key key, TransactionalWork<T, X> work) throws X {
        check(operation, key);
        return new TransactionRunner<>(transactions, new TransactionalCall<>(engine, operation, key, work)).run();
    }

    /** Joins the transaction that the caller began on this connection, and will end. */
    public TransactionScope joined(Connection connection) {
        return new TransactionScope(this, engine, joining(), connection);
    }

    private StoreTransactions joining() {
        StoreTransactions joining = engine.store().joining();
        if (joining == null) {
            throw new IllegalStateException(engine.store().getClass().getSimpleName()
                    + " cannot write records in a transaction of the work's; a store on its database can");
        }
        return joining;
    }

    /** Returns the id of the record of a request. */
    public RecordId id(Operation<?> operation, Key key) {
        return EngineContext.id(operation, key);
    }

    /** The record of a request, if there is one. */
    public Optional<StoredRecord> find(Operation<?> operation, Key key) {
        return Optional.ofNullable(engine.store().find(EngineContext.id(operation, key)))
                .map(RecordSnapshot::record);
    }

    /**
     * Settles a request by a person's word, whether its outcome is unknown or its owner seems to be at work still.
     *
     * @return false if there was nothing to settle any more
     * @throws IllegalArgumentException if the verdict has a result that duplicates could not get, such as one of another type
     */
    public <T> boolean settle(Operation<T> operation, Key key, Verdict<T> verdict) {
        RetentionPeriod keep = operation.settings().keep(key.window());
        return find(operation, key)
                .map(record -> settle(operation, record, verdict, true, keep))
                .orElse(false);
    }

    /**
     * Settles a record as it was seen.
     *
     * @param anyway also while its owner holds the lease
     * @return false if the record has changed, is not stuck, or the verdict decides nothing
     */
    public <T> boolean settle(Operation<T> operation, StoredRecord record, Verdict<T> verdict, boolean anyway) {
        return settle(operation, record, verdict, anyway, operation.settings().keep(null));
    }

    private <T> boolean settle(
            Operation<T> operation, StoredRecord record, Verdict<T> verdict, boolean anyway, RetentionPeriod keep) {
        Change change = SettlementChange.of(engine, operation, record.id(), verdict, anyway, keep);
        boolean settled = change != null && engine.store().update(record.ticket(), change) == UpdateResult.APPLIED;
        if (settled) {
            engine.waiters().publish(record.id());
            engine.events().tell(OperationEvent.Kind.SETTLED, record.id());
        }
        return settled;
    }

    /**
     * Replaces the result of a joined attempt that has succeeded: by the answer that was made of it after it was recorded. The operation is
     * {@link Operation#amendable()}.
     *
     * @return false if the record is another's by now, or if the new result cannot be kept: then the first one stays
     */
    public <T> boolean amend(Operation<T> operation, Key key, Attempt attempt, T result) {
        RecordId id = EngineContext.id(operation, key);
        if (!attempt.isOf(id)) {
            throw new IllegalArgumentException("the attempt does not belong to " + id);
        }
        if (!operation.settings().amendable || !attempt.isJoined()) {
            throw new IllegalArgumentException("a cache tier may hold the result of " + id
                    + ": only joined attempts at amendable() operations are amended");
        }
        ResultEncoder<T> ending = new ResultEncoder<>(engine, operation, id);
        ResultPayload kept = ending.result(result);
        if (kept.kind() == ResultPayload.Kind.NOT_KEPT && operation.settings().maxResultBytes > 0) {
            return false;
        }
        Change amendment = new Change.Amend(kept, operation.settings().keep(key.window()));
        try {
            return engine.store().update(attempt.ticket(), amendment) == UpdateResult.APPLIED;
        } catch (PayloadRejectedException e) {
            // logged; the value stays in the record
            ending.refused(e);
            return false;
        }
    }

    /**
     * Records that the outcome of a request is unknown, because its owner's lease is over.
     *
     * @return false if the record has changed, or the lease is not over by the store's clock
     */
    public boolean doubt(StoredRecord record) {
        boolean doubted = engine.store().update(record.ticket(), engine.leaseOver(record.id())) == UpdateResult.APPLIED;
        if (doubted) {
            engine.events().foundUnknown(record.id(), engine.timer().nanos());
            engine.waiters().publish(record.id());
        }
        return doubted;
    }

    /** Logs and tells the listeners what a probe could not find out. */
    public void probeFailed(RecordId id, String cause, @Nullable Throwable failure) {
        engine.events().probeFailed(id, cause, failure);
    }

    /** Logs and tells the listeners that an outcome is unknown for so long that somebody should look. */
    public void stuck(RecordId id, String cause, @Nullable Throwable failure) {
        engine.events().stuck(id, cause, failure);
    }

    /** For what goes on beside the calls: reconciling and sweeping. */
    public Store store() {
        return engine.store();
    }

    /** Returns the store that issues and checks tokens; null if there is none. */
    public @Nullable TokenStore tokens() {
        return engine.tokens();
    }

    /** Takes no more calls. Those under way go on to their end; the threads that this instance made end when idle. */
    @Override
    public void close() {
        closed = true;
        engine.events().close();
    }

    /** Refuses an operation whose results could not be kept, before anything has run. */
    public void check(Operation<?> operation) {
        if (operation.settings().maxResultBytes > 0) {
            engine.results().check(operation.type());
        }
    }

    void check(Operation<?> operation, Key key) {
        if (closed) {
            throw new IllegalStateException("closed: " + operation + " was not begun");
        }
        check(operation);
        if (key.window() != null && contentKeyed.add(operation.name())) {
            LOG.warn(
                    "{} takes its keys from content: equal requests within {} are taken for one",
                    operation,
                    key.window());
        }
        if (key.token() != null) {
            TokenStore tokens = engine.tokens();
            if (tokens == null) {
                throw new IllegalArgumentException(
                        operation + " was called with a token, but no Tokens are configured");
            }
            if (operation.settings().keep.compareTo(tokens.life()) < 0) {
                throw new IllegalArgumentException(operation + " keeps records for " + operation.settings().keep
                        + ", but tokens live " + tokens.life() + ": a token could run twice");
            }
        }
    }

    /** The settings of a {@link Onefold}; all of them have a default. */
    public static final class Builder {
        private final Store store;
        private final List<OperationListener> listeners = new ArrayList<>();
        private ResultSerializer results = ResultSerializer.with(new JsonCodec());
        private FingerprintKeys prints = FingerprintKeys.none();
        private @Nullable Timer timer;
        private @Nullable Executor executor;
        private @Nullable TokenStore tokens;
        private @Nullable Supplier<UUID> owners;
        private @Nullable String node;
        private int waitersPerKey = 16;
        private int waitersInAll = 10_000;

        private Builder(Store store) {
            this.store = store;
        }

        /** Writes results with this codec, and reads those of the others too. */
        public Builder codec(Codec writer, Codec... alsoReads) {
            return results(ResultSerializer.with(writer, alsoReads));
        }

        public Builder results(ResultSerializer results) {
            this.results = results;
            return this;
        }

        public Builder fingerprintKeys(FingerprintKeys keys) {
            this.prints = keys;
            return this;
        }

        public Builder listener(OperationListener listener) {
            listeners.add(listener);
            return this;
        }

        public Builder tokens(TokenStore tokens) {
            this.tokens = tokens;
            return this;
        }

        /**
         * Sets the executor on which {@link #attemptAsync} calls the store. The default is bounded, and so should this
         * one be, so that a slow store cannot exhaust the process.
         */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        public Builder timer(Timer timer) {
            this.timer = timer;
            return this;
        }

        /** Sets how many duplicates may wait for one execution, and how many in all. */
        public Builder waiters(int perKey, int inAll) {
            if (perKey < 1 || inAll < perKey) {
                throw new IllegalArgumentException(
                        "waiters need 1 <= per key <= in all, not " + perKey + " and " + inAll);
            }
            this.waitersPerKey = perKey;
            this.waitersInAll = inAll;
            return this;
        }

        /** Sets the source of owners' random names. */
        public Builder owners(Supplier<UUID> owners) {
            this.owners = owners;
            return this;
        }

        /** Sets the name of this process in the log. The default is its process number and its host's name. */
        public Builder node(String name) {
            this.node = Objects.requireNonNull(name, "node");
            return this;
        }

        public Onefold build() {
            Timer waking = timer == null ? Timer.system("onefold-timer") : timer;
            // renewing calls the store, so it has a thread of its own: a slow store must not delay those who wait
            Timer renewing = timer == null ? Timer.system("onefold-renewals") : timer;
            Executor calling = executor == null ? pool() : executor;
            Waiters waiters = new Waiters(waitersPerKey, waitersInAll, store.signals());
            LeaseRenewals renewals = new LeaseRenewals(store, renewing);
            EventPublisher events = new EventPublisher(listeners, waking, node == null ? NodeName.ofProcess() : node);
            Supplier<UUID> naming = owners == null ? new OwnerIds(waking) : owners;
            return new Onefold(new EngineContext(
                    store, waking, calling, results, prints, waiters, renewals, events, tokens, naming));
        }

        /** Sixteen daemon threads at most, and a queue that ends. */
        private static Executor pool() {
            LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>(10_000);
            ThreadPoolExecutor threads = new ThreadPoolExecutor(16, 16, 10, TimeUnit.SECONDS, queue, task -> {
                Thread daemon = new Thread(task, "onefold-store");
                daemon.setDaemon(true);
                return daemon;
            });
            threads.allowCoreThreadTimeOut(true);
            return threads;
        }
    }
}
