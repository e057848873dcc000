package io.onefold.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.http.contract.HeaderLine;
import io.onefold.http.contract.ResponseSink;
import io.onefold.http.contract.ServiceRequest;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.SpringVersion;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The business as handlers of WebFlux. It blocks, and so has threads of its own. */
@RestController
final class ReactiveBusinessController {
    /** It takes answers of no type for events, which nobody keeps. */
    private static final boolean SPRING_6 =
            String.valueOf(SpringVersion.getVersion()).startsWith("6.");

    private final Stage stage;

    ReactiveBusinessController(Stage stage) {
        this.stage = stage;
    }

    @PostMapping("/**")
    Mono<ResponseEntity<Flux<DataBuffer>>> post(
            ServerHttpRequest request, @RequestBody(required = false) Flux<DataBuffer> body) {
        return answer(request, body);
    }

    /** Forms, which WebFlux hands out as fields alone. */
    @PostMapping(path = "/**", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    Mono<ResponseEntity<Flux<DataBuffer>>> form(ServerWebExchange exchange) {
        return exchange.getFormData().flatMap(fields -> {
            String encoded = UriComponentsBuilder.newInstance()
                    .queryParams(fields)
                    .encode()
                    .build()
                    .getQuery();
            return served(call(exchange.getRequest(), String.valueOf(encoded).getBytes(UTF_8)));
        });
    }

    @PatchMapping("/**")
    Mono<ResponseEntity<Flux<DataBuffer>>> patch(
            ServerHttpRequest request, @RequestBody(required = false) Flux<DataBuffer> body) {
        return answer(request, body);
    }

    @PutMapping("/**")
    Mono<ResponseEntity<Flux<DataBuffer>>> put(
            ServerHttpRequest request, @RequestBody(required = false) Flux<DataBuffer> body) {
        return answer(request, body);
    }

    @DeleteMapping("/**")
    Mono<ResponseEntity<Flux<DataBuffer>>> delete(
            ServerHttpRequest request, @RequestBody(required = false) Flux<DataBuffer> body) {
        return answer(request, body);
    }

    @GetMapping("/**")
    Mono<ResponseEntity<Flux<DataBuffer>>> get(ServerHttpRequest request) {
        return answer(request, Flux.empty());
    }

    @RequestMapping(path = "/**", method = RequestMethod.OPTIONS)
    Mono<ResponseEntity<Flux<DataBuffer>>> options(ServerHttpRequest request) {
        return answer(request, Flux.empty());
    }

    private Mono<ResponseEntity<Flux<DataBuffer>>> answer(ServerHttpRequest request, Flux<DataBuffer> body) {
        return DataBufferUtils.join(body.doOnNext(piece -> stage.business().arrived(piece.readableByteCount())))
                .map(ReactiveBusinessController::bytes)
                .defaultIfEmpty(new byte[0])
                .flatMap(bytes -> served(call(request, bytes)));
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
                .forEach((name, values) -> values.forEach(value -> headers.add(new HeaderLine(name, value))));
        return new ServiceRequest(
                request.getMethod().name(),
                request.getURI().getRawPath(),
                request.getURI().getRawQuery(),
                headers,
                body);
    }

    private Mono<ResponseEntity<Flux<DataBuffer>>> served(ServiceRequest call) {
        Returning exit = new Returning();
        Thread thread = new Thread(
                () -> {
                    try {
                        stage.business().serve(call, exit);
                        exit.pieces.tryEmitComplete().orThrow();
                    } catch (Throwable e) {
                        exit.begun.tryEmitError(e);
                        exit.pieces.tryEmitError(e);
                    }
                },
                "business");
        thread.setDaemon(true);
        thread.start();
        return exit.begun.asMono();
    }

    /** Trailers and answers before the answer are left out: there is no way to send them. */
    private static final class Returning implements ResponseSink {
        private final Sinks.One<ResponseEntity<Flux<DataBuffer>>> begun = Sinks.one();
        private final Sinks.Many<DataBuffer> pieces = Sinks.many().unicast().onBackpressureBuffer();

        @Override
        public void begin(int status, List<HeaderLine> lines, List<HeaderLine> trailers) {
            HttpHeaders headers = new HttpHeaders();
            lines.forEach(line -> headers.add(line.name(), line.value()));
            if (SPRING_6 && headers.getFirst(HttpHeaders.CONTENT_TYPE) == null) {
                headers.setContentType(MediaType.APPLICATION_OCTET_STREAM);
            }
            begun.tryEmitValue(ResponseEntity.status(status).headers(headers).body(pieces.asFlux()))
                    .orThrow();
        }

        @Override
        public void write(byte[] piece) {
            pieces.tryEmitNext(DefaultDataBufferFactory.sharedInstance.wrap(piece))
                    .orThrow();
        }
    }
}
