package io.onefold.spring.client;

import io.onefold.Attempt;
import io.onefold.spring.CurrentAttempt;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * For {@code WebClient} and {@code @HttpExchange} over it: calls made in an attempt, and without a key, get one. The attempt is that of
 * the Reactor context, else that of the thread which subscribes. It belongs before filters that choose an instance of a service or
 * retry.
 */
public final class ChildKeyExchangeFilter implements ExchangeFilterFunction {
    private final ChildKeyRules keys;

    public ChildKeyExchangeFilter() {
        this(ChildKeyRules.standard());
    }

    public ChildKeyExchangeFilter(ChildKeyRules keys) {
        this.keys = keys;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.deferContextual(context -> next.exchange(keyed(request, context)));
    }

    private ClientRequest keyed(ClientRequest request, ContextView context) {
        if (request.headers().getFirst(keys.header()) != null) {
            return request;
        }
        Attempt attempt = context.<@Nullable Attempt>getOrDefault(CurrentAttempt.CONTEXT, CurrentAttempt.get());
        String key = keys.of(
                attempt,
                request.method().name(),
                request.url(),
                request.attribute(ChildKeyRules.NAME).orElse(null));
        return key == null
                ? request
                : ClientRequest.from(request).header(keys.header(), key).build();
    }
}
