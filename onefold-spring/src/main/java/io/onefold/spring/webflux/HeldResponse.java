package io.onefold.spring.webflux;

import io.onefold.http.EventStream;
import io.onefold.http.Field;
import io.onefold.http.Produced;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * Holds an answer back: to the application it is committed as usual, but nothing reaches the client's response, unless it is too long or
 * has no end: then all goes out, and the rest follows as it comes.
 */
final class HeldResponse extends AbstractServerHttpResponse {
    private static final Logger LOG = LoggerFactory.getLogger(HeldResponse.class);

    private final ServerHttpResponse client;
    private final IntSupplier maxHeld;
    private final Predicate<String> isOurs;
    private final Supplier<List<Field>> marks;
    private final Mono<Void> leaving;
    private final Runnable streams;
    private final ContextView context;
    private final Sinks.Empty<Void> written = Sinks.empty();
    private ByteArrayOutputStream held = new ByteArrayOutputStream();
    private volatile @Nullable Outflow outflow;

    /**
     * @param before the headers that the client's response has by now
     * @param isOurs which headers are said to the filter, and to no client
     * @param marks headers that go out with an answer that cannot be held back
     * @param leaving ends when the client has left: its response must not be touched from then on
     * @param streams is told when the answer begins to go out as it comes
     */
    HeldResponse(
            ServerHttpResponse client,
            Lines before,
            IntSupplier maxHeld,
            Predicate<String> isOurs,
            Supplier<List<Field>> marks,
            Mono<Void> leaving,
            Runnable streams,
            ContextView context) {
        // not the server's own buffers: these need nobody to release them
        super(DefaultDataBufferFactory.sharedInstance, before.toHeaders());
        this.client = client;
        this.maxHeld = maxHeld;
        this.isOurs = isOurs;
        this.marks = marks;
        this.leaving = leaving;
        this.streams = streams;
        this.context = context;
    }

    /** Whether it goes out as it comes. */
    boolean gone() {
        return outflow != null;
    }

    int status() {
        return getStatusCode() == null ? 200 : getStatusCode().value();
    }

    Produced produced() {
        List<Field> fields = Lines.of(getHeaders()).toFields();
        return gone() ? Produced.sent(status(), fields) : Produced.of(status(), fields, held.toByteArray());
    }

    @Override
    protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
        return take(Flux.from(body), false);
    }

    @Override
    protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return take(Flux.from(body).concatMap(Flux::from, 0), true);
    }

    /** One at a time: none is in a queue when something fails. */
    private Mono<Void> take(Flux<? extends DataBuffer> pieces, boolean flushing) {
        if (endless() || getHeaders().getContentLength() > maxHeld.getAsInt()) {
            letGo(flushing);
        }
        return pieces.concatMap(piece -> take(Reading.bytes(piece), flushing), 0)
                .then()
                .onErrorResume(failure -> {
                    if (!gone()) {
                        return Mono.error(failure);
                    }
                    // the client is to see that this is not the whole of it
                    Objects.requireNonNull(outflow).fail(failure);
                    return written.asMono().then(Mono.error(failure));
                })
                .then(Mono.defer(() -> {
                    if (!gone()) {
                        return Mono.empty();
                    }
                    Objects.requireNonNull(outflow).complete();
                    return written.asMono();
                }));
    }

    private Mono<Void> take(byte[] piece, boolean flushing) {
        Outflow out = outflow;
        if (out != null) {
            return out.offer(piece);
        }
        if (held.size() + (long) piece.length <= maxHeld.getAsInt()) {
            held.writeBytes(piece);
            return Mono.empty();
        }
        byte[] soFar = held.toByteArray();
        held = new ByteArrayOutputStream();
        Outflow begun = letGo(flushing);
        return soFar.length == 0 ? begun.offer(piece) : begun.offer(soFar).then(begun.offer(piece));
    }

    private boolean endless() {
        return EventStream.is(getHeaders().getFirst(HttpHeaders.CONTENT_TYPE));
    }

    private Outflow letGo(boolean flushing) {
        Outflow out = new Outflow();
        outflow = out;
        streams.run();
        Mono<Void> writing = Mono.defer(() -> {
            head();
            return flushing ? client.writeAndFlushWith(Flux.from(out).map(Mono::just)) : client.writeWith(out);
        });
        // on its own: neither a client that has left nor one that is slow to be told of it stops the application
        writing.takeUntilOther(leaving)
                .contextWrite(context)
                .doFinally(end -> {
                    out.cancel();
                    written.tryEmitEmpty();
                })
                .subscribe(nothing -> {}, failure -> LOG.debug("an answer did not reach its client whole", failure));
        return out;
    }

    /** What is said to us alone stays here. */
    private void head() {
        client.setRawStatusCode(status());
        List<Field> fields = Lines.of(getHeaders()).toFields();
        fields.removeIf(field -> isOurs.test(field.name()));
        for (Field mark : marks.get()) {
            fields.removeIf(field -> field.name().equalsIgnoreCase(mark.name()));
            fields.add(mark);
        }
        Lines.of(fields).into(client, true);
    }

    @Override
    protected void applyStatusCode() {}

    @Override
    protected void applyHeaders() {}

    @Override
    protected void applyCookies() {
        getCookies()
                .values()
                .forEach(cookies ->
                        cookies.forEach(cookie -> getHeaders().add(HttpHeaders.SET_COOKIE, cookie.toString())));
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Spring has it so
    public <T> T getNativeResponse() {
        return ServerHttpResponseDecorator.getNativeResponse(client);
    }
}
