package io.onefold.spring;

import io.onefold.Key;
import io.onefold.UnknownOutcomeException;
import io.onefold.spring.MessageResolver.GiveUpResult;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import io.onefold.store.TransactionConflictException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deliveries of messages that are not settled. If the broker counts deliveries, the consumer keeps the message and tries again; otherwise
 * the message goes back to the broker. After a limit the message is given up. Otherwise it would hold up others for ever if its outcome
 * stays unknown, or if its transactional method runs and loses its transaction each time.
 *
 * <p>The memory of a message is in this process alone. A restart begins a new limit.
 */
final class UnsettledDeliveries {
    private static final Logger LOG = LoggerFactory.getLogger(UnsettledDeliveries.class);
    private static final int MAX_REMEMBERED = 50_000;
    private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ListenerSettings settings;
    private final Map<RecordId, MessageFailures> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RecordId, MessageFailures> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    UnsettledDeliveries(ListenerSettings settings) {
        this.settings = settings;
    }

    /** One call for a message. */
    @FunctionalInterface
    interface DeliveryCall {
        @Nullable
        Object run(InvocationResult told) throws Throwable;
    }

    /** Calls until the message is settled, is given up, or must go back to the broker. */
    @Nullable
    Object call(MethodCall call, IdempotentContext wiring, Key key, DeliveryCall pass) throws Throwable {
        MessageDelivery delivery = new MessageDelivery(call, wiring, key);
        while (true) {
            InvocationResult told = new InvocationResult(call.method(), call, key);
            try {
                Object returned = pass.run(told);
                forget(delivery.id);
                return returned;
            } catch (Throwable e) {
                long rest = delivery.rest(e, told);
                if (rest == MessageDelivery.GIVEN_UP) {
                    return told.nothing();
                }
                if (rest < 0 || TransactionDetector.isUnderWay()) {
                    throw delivery.thrown(e);
                }
                if (!delivery.sleep(rest)) {
                    throw e;
                }
            }
        }
    }

    /** Does the same for calls that hold no thread. */
    CompletableFuture<@Nullable Object> later(
            MethodCall call,
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            Supplier<CompletableFuture<@Nullable Object>> pass) {
        return later(new MessageDelivery(call, wiring, key), told, pass);
    }

    private CompletableFuture<@Nullable Object> later(
            MessageDelivery delivery, InvocationResult told, Supplier<CompletableFuture<@Nullable Object>> pass) {
        return pass.get()
                .whenComplete((returned, thrown) -> {
                    if (thrown == null) {
                        forget(delivery.id);
                    }
                })
                .exceptionallyCompose(why -> {
                    Throwable thrown = InvocationResult.unwrapped(why);
                    long rest = delivery.rest(thrown, told);
                    if (rest == MessageDelivery.GIVEN_UP) {
                        return CompletableFuture.completedFuture(told.nothing());
                    }
                    if (rest < 0) {
                        return CompletableFuture.failedFuture(delivery.thrown(thrown));
                    }
                    return CompletableFuture.runAsync(
                                    () -> {}, CompletableFuture.delayedExecutor(rest, TimeUnit.NANOSECONDS))
                            .thenCompose(rested -> delivery.isHeld()
                                    ? later(delivery, told, pass)
                                    : CompletableFuture.failedFuture(thrown));
                });
    }

    private synchronized MessageFailures trouble(RecordId id) {
        return remembered.computeIfAbsent(id, unknown -> new MessageFailures());
    }

    private synchronized void forget(RecordId id) {
        if (!remembered.isEmpty()) {
            remembered.remove(id);
        }
    }

    private static boolean isUnsettled(Throwable thrown, InvocationSource door) {
        return door == InvocationSource.RABBIT
                ? RabbitDelivery.isUnsettled(thrown)
                : thrown instanceof UnsettledRecordException;
    }

    /** One delivery of a message. */
    private final class MessageDelivery {
        static final long GIVEN_UP = Long.MIN_VALUE;
        private static final long BACK = -1;

        private final IdempotentMethod method;
        private final RecordId id;
        private final MessageResolver.@Nullable ListenerMessage message;
        private final long began = System.nanoTime();
        private int asked;
        private boolean refused;

        MessageDelivery(MethodCall call, IdempotentContext wiring, Key key) {
            this.method = call.method();
            this.id = wiring.onefold().id(method.operation(), key);
            this.message = wiring.messages().current(method.door(), call.arguments());
        }

        /** Returns the pause in nanoseconds before the next try; negative if there is no further try here. */
        long rest(Throwable thrown, InvocationResult told) {
            if (!isUnsettled(thrown, method.door())) {
                trouble(id).failed(thrown);
                return BACK;
            }
            Throwable why = thrown.getCause();
            boolean lost = why instanceof StoreException
                    && !(why instanceof TransactionConflictException)
                    && method.mode() == TransactionMode.JOINED
                    && told.hasBegun();
            if (isOver(why, lost)) {
                GiveUpResult given = giveUp(why, lost);
                refused = given == GiveUpResult.BY_REFUSAL;
                if (given != GiveUpResult.NOT) {
                    return given == GiveUpResult.DONE ? GIVEN_UP : BACK;
                }
            }
            boolean stays = message != null
                    && message.isCounted()
                    && message.isHeld()
                    && System.nanoTime() - began < settings.hold().toNanos();
            return stays
                    ? Math.min(
                            MAX_REST_NANOS, ListenerExceptions.usualRest(method).toNanos() << Math.min(asked++, 10))
                    : BACK;
        }

        /** Returns true if this consumer still has the message: the broker may have given it to another one. */
        boolean isHeld() {
            return message == null || message.isHeld();
        }

        /** Pauses. Returns false if the message goes back to the broker meanwhile, or the thread is interrupted. */
        boolean sleep(long rest) {
            long until = System.nanoTime() + rest;
            try {
                for (long left = rest; left > 0; left = until - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.sleep(Math.min(left, LOOK_EVERY_NANOS));
                    if (!isHeld()) {
                        return false;
                    }
                }
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** Returns the exception for the container. */
        Throwable thrown(Throwable thrown) {
            return refused && thrown.getCause() instanceof RuntimeException why
                    ? ListenerExceptions.unusable(method.door(), why)
                    : thrown;
        }

        private boolean isOver(@Nullable Throwable why, boolean lost) {
            if (why instanceof UnknownOutcomeException) {
                return trouble(id).unknown().compareTo(settings.unknownLimit()) >= 0;
            }
            if (!lost || why == null) {
                trouble(id).isNotUnknown();
                return false;
            }
            int times = trouble(id).lost(why);
            LOG.warn(
                    "The joined method of {} ran and lost its transaction ({} times; given up after {} times at the earliest). Nothing of it is committed, and the message comes"
                            + " again. A method that waits for longer than the database's idle_in_transaction_session_timeout is a usual cause.",
                    id,
                    times,
                    settings.lostLimit(),
                    why);
            // a short outage may lose some transactions of one message
            return times >= settings.lostLimit() && trouble(id).lost().compareTo(settings.unknownLimit()) >= 0;
        }

        private GiveUpResult giveUp(@Nullable Throwable why, boolean lost) {
            GiveUpResult given = GiveUpResult.NOT;
            RuntimeException failed = null;
            if (message != null && settings.deadLetters() != ListenerSettings.DeadLetterPolicy.NEVER) {
                try {
                    given = message.giveUp(headers(why, lost));
                } catch (RuntimeException e) {
                    failed = e;
                }
            }
            String reason = lost ? "its transaction is lost each time" : "its outcome stays unknown";
            MessageFailures.MessageFailure failure = trouble(id).failure();
            String thrown = failure == null ? "" : " The method threw " + failure.type() + ": " + failure.text();
            if (given != GiveUpResult.NOT) {
                // while no dead letter can be written, the message keeps coming: log it only from time to time
                if (given == GiveUpResult.DONE || trouble(id).isLoggable()) {
                    LOG.error(
                            "Message of {} goes to the dead letters, since {}. Settle its record before you send it again.{}",
                            id,
                            reason,
                            thrown);
                }
                if (given == GiveUpResult.DONE) {
                    forget(id);
                }
            } else if (trouble(id).isLoggable()) {
                LOG.error(
                        "Message of {} keeps coming again, since {} and {}. It holds up the messages behind it until its record is settled.{}",
                        id,
                        reason,
                        failed != null
                                ? "it could not be handed to the dead letters"
                                : "no dead letter destination is known",
                        thrown,
                        failed);
            }
            return given;
        }

        private Map<String, String> headers(@Nullable Throwable why, boolean lost) {
            MessageFailures.MessageFailure known = trouble(id).failure();
            MessageFailures.MessageFailure failure =
                    known != null || why == null ? known : MessageFailures.MessageFailure.of(why);
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("onefold-operation", id.operation());
            headers.put("onefold-scope", id.scope());
            headers.put("onefold-key", id.key());
            headers.put("onefold-reason", lost ? "transaction-lost" : "unknown-outcome");
            if (failure != null) {
                headers.put("onefold-exception", failure.type());
                headers.put("onefold-exception-message", failure.text());
            }
            return headers;
        }
    }

    private static final class RabbitDelivery {
        static boolean isUnsettled(Throwable thrown) {
            return thrown instanceof UnsettledMessageException;
        }
    }
}
