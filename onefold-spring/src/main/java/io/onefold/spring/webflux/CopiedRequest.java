package io.onefold.spring.webflux;

import io.onefold.http.RequestFingerprint;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A request whose body goes into its fingerprint as it is read, if its handler, which is known by then, claims for itself. */
final class CopiedRequest extends ServerHttpRequestDecorator {
    private final ServerWebExchange web;
    private final Supplier<@Nullable RequestFingerprint> prints;

    /** @param prints asked when the body is read; null if it is not compared */
    CopiedRequest(ServerWebExchange web, Supplier<@Nullable RequestFingerprint> prints) {
        super(web.getRequest());
        this.web = web;
        this.prints = prints;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return Flux.defer(() -> {
            RequestFingerprint print = prints.get();
            return print == null ? super.getBody() : copied(print);
        });
    }

    private Flux<DataBuffer> copied(RequestFingerprint print) {
        web.getAttributes().put(RequestFingerprint.class.getName(), print);
        return super.getBody()
                // one at a time: none is in a queue when the client leaves
                .concatMap(piece -> written(Reading.bytes(piece), print), 0)
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release)
                .concatWith(Elsewhere.call(() -> {
                            print.end();
                            return true;
                        })
                        .then(Mono.empty()))
                .doOnError(failure -> print.close())
                .doOnCancel(print::close);
    }

    /** No thread of an event loop waits for a disk. */
    private Mono<DataBuffer> written(byte[] bytes, RequestFingerprint print) {
        return Elsewhere.call(() -> {
            print.write(bytes, 0, bytes.length);
            return web.getResponse().bufferFactory().wrap(bytes);
        });
    }
}
