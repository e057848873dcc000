package io.onefold.spring.webflux;

import io.onefold.http.OutgoingResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Sends responses. */
final class WebFluxResponseSender {
    private WebFluxResponseSender() {}

    /**
     * @param own true if the application has seen the headers that earlier filters have set: then its values count
     */
    static Mono<Void> send(OutgoingResponse answer, ServerHttpResponse response, boolean own) {
        if (answer.sent() || response.isCommitted() || NettyBodyCheck.hasAnswered(response)) {
            return Mono.empty();
        }
        response.setRawStatusCode(answer.status());
        HeaderLines.of(answer.headers()).into(response, own);
        if (answer.status() == 204 || answer.status() == 304 || answer.status() < 200) {
            return response.setComplete();
        }
        response.getHeaders().setContentLength(answer.body().length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(answer.body())));
    }
}
