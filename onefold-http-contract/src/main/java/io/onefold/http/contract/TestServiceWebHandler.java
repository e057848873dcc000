package io.onefold.http.contract;

import java.util.ArrayList;
import java.util.List;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The test service as a reactive application, for adapters that are filters of WebFlux. It blocks, and so has threads
 * of its own.
 */
public final class TestServiceWebHandler implements WebHandler {
    private final TestService business;

    public TestServiceWebHandler(TestService business) {
        this.business = business;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange) {
        return DataBufferUtils.join(
                        exchange.getRequest().getBody().doOnNext(piece -> business.arrived(piece.readableByteCount())))
                .map(TestServiceWebHandler::bytes)
                .defaultIfEmpty(new byte[0])
                .flatMap(body -> serve(call(exchange.getRequest(), body), exchange.getResponse()));
    }

    private static byte[] bytes(DataBuffer piece) {
        byte[] bytes = new byte[piece.readableByteCount()];
        piece.read(bytes);
        DataBufferUtils.release(piece);
        return bytes;
    }

    private static ServiceRequest call(ServerHttpRequest request, byte[] body) {
        List<HeaderLine> headers = new ArrayList<>();
        request.getHeaders()
                .headerSet()
                .forEach(line -> line.getValue().forEach(value -> headers.add(new HeaderLine(line.getKey(), value))));
        return new ServiceRequest(
                request.getMethod().name(),
                request.getURI().getRawPath(),
                request.getURI().getRawQuery(),
                headers,
                body);
    }

    private Mono<Void> serve(ServiceRequest call, ServerHttpResponse response) {
        ReactiveResponseSink exit = new ReactiveResponseSink(response);
        Thread thread = new Thread(
                () -> {
                    try {
                        business.serve(call, exit);
                        exit.end();
                    } catch (Throwable e) {
                        exit.fail(e);
                    }
                },
                "business");
        thread.setDaemon(true);
        thread.start();
        return exit.begun
                .asMono()
                .then(Mono.defer(
                        () -> response.writeAndFlushWith(exit.pieces.asFlux().map(Mono::just))));
    }

    /** Writes a response without trailers and interim responses: there is no way to send them. */
    private static final class ReactiveResponseSink implements ResponseSink {
        private final ServerHttpResponse response;
        private final Sinks.Empty<Void> begun = Sinks.empty();
        private final Sinks.Many<DataBuffer> pieces = Sinks.many().unicast().onBackpressureBuffer();

        ReactiveResponseSink(ServerHttpResponse response) {
            this.response = response;
        }

        @Override
        public void begin(int status, List<HeaderLine> headers, List<HeaderLine> trailers) {
            response.setRawStatusCode(status);
            headers.forEach(line -> response.getHeaders().add(line.name(), line.value()));
            begun.tryEmitEmpty().orThrow();
        }

        @Override
        public void write(byte[] piece) {
            pieces.tryEmitNext(DefaultDataBufferFactory.sharedInstance.wrap(piece))
                    .orThrow();
        }

        void end() {
            pieces.tryEmitComplete().orThrow();
        }

        void fail(Throwable thrown) {
            begun.tryEmitError(thrown);
            pieces.tryEmitError(thrown);
        }
    }
}
