package io.onefold.spring.webflux;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;

/**
 * Pieces of a response on their way to the client, one at a time. Each is taken from the application when the client has asked for it. If
 * the client has left, the rest is taken all the same, since its end shows that the request was carried out.
 *
 * <p>The next piece is offered only after the previous one was taken, so that two never go out at once.
 */
final class ResponsePublisher implements Publisher<DataBuffer>, Subscription {
    private @Nullable Subscriber<? super DataBuffer> client;
    private long asked;
    private @Nullable OfferedBuffer waiting;
    private boolean left;
    private boolean begun;
    private boolean ended;
    private @Nullable Throwable failure;

    private record OfferedBuffer(DataBuffer piece, MonoSink<Void> taken) {}

    /** Offers a piece. The Mono ends when the piece was taken. */
    Mono<Void> offer(byte[] piece) {
        return Mono.create(
                taken -> offer(new OfferedBuffer(DefaultDataBufferFactory.sharedInstance.wrap(piece), taken)));
    }

    private void offer(OfferedBuffer offer) {
        Subscriber<? super DataBuffer> to;
        synchronized (this) {
            to = left ? null : client;
            if (!left && (to == null || asked == 0)) {
                waiting = offer;
                return;
            }
            countOne();
        }
        hand(offer, to);
    }

    private synchronized void countOne() {
        if (asked != Long.MAX_VALUE && asked > 0) {
            asked--;
        }
    }

    private static void hand(OfferedBuffer offer, @Nullable Subscriber<? super DataBuffer> to) {
        if (to != null) {
            to.onNext(offer.piece);
        }
        offer.taken.success();
    }

    void complete() {
        end(null);
    }

    void fail(Throwable why) {
        end(why);
    }

    /** Ends the flow, also for a subscriber that comes later. */
    private void end(@Nullable Throwable why) {
        Subscriber<? super DataBuffer> to;
        OfferedBuffer dropped;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            failure = why;
            dropped = waiting;
            waiting = null;
            to = left || !begun ? null : client;
        }
        if (dropped != null) {
            hand(dropped, null);
        }
        if (to != null) {
            tellEnd(to, why);
        }
    }

    private static void tellEnd(Subscriber<? super DataBuffer> to, @Nullable Throwable why) {
        if (why == null) {
            to.onComplete();
        } else {
            to.onError(why);
        }
    }

    @Override
    public void subscribe(Subscriber<? super DataBuffer> subscriber) {
        boolean over;
        Throwable why;
        synchronized (this) {
            if (client != null) {
                Operators.error(subscriber, new IllegalStateException("an answer goes out once"));
                return;
            }
            client = subscriber;
        }
        subscriber.onSubscribe(this);
        synchronized (this) {
            begun = true;
            over = ended && !left;
            why = failure;
        }
        if (over) {
            tellEnd(subscriber, why);
        }
    }

    @Override
    public void request(long more) {
        OfferedBuffer offer;
        Subscriber<? super DataBuffer> to;
        synchronized (this) {
            asked = Operators.addCap(asked, more);
            offer = waiting;
            to = client;
            if (offer == null) {
                return;
            }
            waiting = null;
            countOne();
        }
        hand(offer, to);
    }

    /** The client has left. */
    @Override
    public void cancel() {
        OfferedBuffer offer;
        synchronized (this) {
            left = true;
            offer = waiting;
            waiting = null;
        }
        if (offer != null) {
            hand(offer, null);
        }
    }
}
