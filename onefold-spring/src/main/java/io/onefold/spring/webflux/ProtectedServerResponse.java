package io.onefold.spring.webflux;

import io.onefold.http.EventStreamType;
import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
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
 * Holds a response back. The application sees it as committed, but nothing reaches the client. If the response is too long or has no end,
 * all of it goes out, and the rest is streamed.
 */
final class ProtectedServerResponse extends AbstractServerHttpResponse {
    private static final Logger LOG = LoggerFactory.getLogger(ProtectedServerResponse.class);

    private final ServerHttpResponse client;
    private final IntSupplier maxHeld;
    private final Predicate<String> isOurs;
    private final Supplier<List<HeaderField>> marks;
    private final Mono<Void> leaving;
    private final Runnable streams;
    private final ContextView context;
    private final Sinks.Empty<Void> written = Sinks.empty();
    private ByteArrayOutputStream held = new ByteArrayOutputStream();
    private volatile @Nullable ResponsePublisher outflow;

    /**
     * @param before the current headers of the client's response
     * @param isOurs accepts headers that are for the filter only
     * @param marks headers that go out with a response that cannot be held back
     * @param leaving ends when the client has left: its response must not be touched from then on
     * @param streams runs when the response begins to be streamed
     */
    ProtectedServerResponse(
            ServerHttpResponse client,
            HeaderLines before,
            IntSupplier maxHeld,
            Predicate<String> isOurs,
            Supplier<List<HeaderField>> marks,
            Mono<Void> leaving,
            Runnable streams,
            ContextView context) {
        // not the server's own buffers: these need no release
        super(DefaultDataBufferFactory.sharedInstance, before.toHeaders());
        this.client = client;
        this.maxHeld = maxHeld;
        this.isOurs = isOurs;
        this.marks = marks;
        this.leaving = leaving;
        this.streams = streams;
        this.context = context;
    }

    /** Returns true if the response is streamed. */
    boolean gone() {
        return outflow != null;
    }

    int status() {
        return getStatusCode() == null ? 200 : getStatusCode().value();
    }

    HandlerResponse produced() {
        List<HeaderField> fields = HeaderLines.of(getHeaders()).toFields();
        return gone()
                ? HandlerResponse.sent(status(), fields)
                : HandlerResponse.of(status(), fields, held.toByteArray());
    }

    @Override
    protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
        return take(Flux.from(body), false);
    }

    @Override
    protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return take(Flux.from(body).concatMap(Flux::from, 0), true);
    }

    /** Takes the pieces one at a time: none is in a queue if something fails. */
    private Mono<Void> take(Flux<? extends DataBuffer> pieces, boolean flushing) {
        if (endless() || getHeaders().getContentLength() > maxHeld.getAsInt()) {
            letGo(flushing);
        }
        return pieces.concatMap(piece -> take(WebFluxBodyReader.bytes(piece), flushing), 0)
                .then()
                .onErrorResume(failure -> {
                    if (!gone()) {
                        return Mono.error(failure);
                    }
                    // the client must see that the response is incomplete
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
        ResponsePublisher out = outflow;
        if (out != null) {
            return out.offer(piece);
        }
        if (held.size() + (long) piece.length <= maxHeld.getAsInt()) {
            held.writeBytes(piece);
            return Mono.empty();
        }
        byte[] soFar = held.toByteArray();
        held = new ByteArrayOutputStream();
        ResponsePublisher begun = letGo(flushing);
        return soFar.length == 0 ? begun.offer(piece) : begun.offer(soFar).then(begun.offer(piece));
    }

    private boolean endless() {
        return EventStreamType.is(getHeaders().getFirst(HttpHeaders.CONTENT_TYPE));
    }

    private ResponsePublisher letGo(boolean flushing) {
        ResponsePublisher out = new ResponsePublisher();
        outflow = out;
        streams.run();
        Mono<Void> writing = Mono.defer(() -> {
            head();
            return flushing ? client.writeAndFlushWith(Flux.from(out).map(Mono::just)) : client.writeWith(out);
        });
        // subscribed separately: a client that has left, or is slow, does not stop the application
        writing.takeUntilOther(leaving)
                .contextWrite(context)
                .doFinally(end -> {
                    out.cancel();
                    written.tryEmitEmpty();
                })
                .subscribe(nothing -> {}, failure -> LOG.debug("an answer did not reach its client whole", failure));
        return out;
    }

    /** Writes the headers. Those for the filter only are left out. */
    private void head() {
        client.setRawStatusCode(status());
        List<HeaderField> fields = HeaderLines.of(getHeaders()).toFields();
        fields.removeIf(field -> isOurs.test(field.name()));
        for (HeaderField mark : marks.get()) {
            fields.removeIf(field -> field.name().equalsIgnoreCase(mark.name()));
            fields.add(mark);
        }
        HeaderLines.of(fields).into(client, true);
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
