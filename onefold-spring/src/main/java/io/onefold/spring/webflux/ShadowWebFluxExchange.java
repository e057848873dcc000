package io.onefold.spring.webflux;

import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
import io.onefold.http.OuterExceptions;
import io.onefold.http.ShadowExchange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A request that passes while it is observed. The response is the server's own: nothing of it is held. */
final class ShadowWebFluxExchange {
    /** An attribute of the exchange: the operation, if the request is only observed. */
    static final String OPERATION = "io.onefold.observed";

    private final ShadowExchange observation;
    private final ServerWebExchange web;
    private final OuterExceptions outer;
    private volatile @Nullable Throwable thrown;

    ShadowWebFluxExchange(ShadowExchange observation, ServerWebExchange web, OuterExceptions outer) {
        this.observation = observation;
        this.web = web;
        this.outer = outer;
    }

    Mono<Void> pass(WebFilterChain chain) {
        web.getAttributes().put(OPERATION, observation.operation());
        // errors are rendered after all filters
        web.getResponse()
                .beforeCommit(() -> Mono.fromRunnable(() -> {
                    if (thrown != null) {
                        end();
                    }
                }));
        return Mono.defer(() -> chain.filter(web.mutate()
                        .request(new ShadowServerRequest(web.getRequest()))
                        .build()))
                .doOnSuccess(nothing -> form(this::end))
                .doOnError(failure -> {
                    thrown = Exceptions.unwrap(failure);
                    if (web.getResponse().isCommitted()) {
                        observation.end(HandlerResponse.unknown(status(), List.of(), new byte[0]));
                    }
                })
                .doOnCancel(() -> observation.end(HandlerResponse.unknown(status(), List.of(), new byte[0])));
    }

    /** Forms are read by the exchange itself. */
    private void form(Runnable then) {
        if (!MediaType.APPLICATION_FORM_URLENCODED.isCompatibleWith(WebFluxBodyReader.type(web))
                || !observation.isUnread()) {
            then.run();
            return;
        }
        web.getFormData().onErrorComplete().doFinally(signal -> then.run()).subscribe(form -> {
            byte[] body = WebFluxBodyReader.written(form, WebFluxBodyReader.charset(web));
            observation.read(body, 0, body.length);
            observation.readToEnd();
        });
    }

    private int status() {
        HttpStatusCode status = web.getResponse().getStatusCode();
        return status == null ? 200 : status.value();
    }

    private void end() {
        List<HeaderField> said = HeaderLines.of(web.getResponse().getHeaders()).of("Onefold-Outcome").stream()
                .map(value -> new HeaderField("Onefold-Outcome", value))
                .toList();
        HandlerResponse produced = HandlerResponse.of(status(), said, new byte[0]);
        Throwable failure = thrown;
        if (Boolean.FALSE.equals(web.getAttribute(WebFluxHandlerRequest.BEGUN))) {
            produced = HandlerResponse.notBegun(status(), said, new byte[0]);
        } else if (failure != null) {
            produced = observation.thrown(
                    failure,
                    outer.find(failure) == null ? produced : HandlerResponse.unknown(status(), said, new byte[0]));
        }
        HandlerResponse told = produced;
        elsewhere(() -> observation.end(told));
    }

    /** Runs a step off the event loop, since the fingerprint takes a while to compute, unless there is no other thread. */
    private static void elsewhere(Runnable step) {
        try {
            BlockingWorkScheduler.run(step);
        } catch (RejectedExecutionException e) {
            step.run();
        }
    }

    private final class ShadowServerRequest extends ServerHttpRequestDecorator {
        ShadowServerRequest(ServerHttpRequest request) {
            super(request);
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return super.getBody().doOnNext(this::passes).doOnComplete(() -> elsewhere(observation::readToEnd));
        }

        private void passes(DataBuffer piece) {
            ByteBuffer copy = ByteBuffer.allocate(piece.readableByteCount());
            piece.toByteBuffer(copy);
            if (observation.read(copy.array(), 0, copy.capacity())) {
                elsewhere(observation::readToEnd);
            }
        }
    }
}
