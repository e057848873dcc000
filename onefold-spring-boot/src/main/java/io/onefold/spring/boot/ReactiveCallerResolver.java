package io.onefold.spring.boot;

import io.onefold.http.Caller;
import java.util.function.Function;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Says whose request it is, empty for nobody's: a bean of this type takes the place of {@code onefold.http.principal}. */
@FunctionalInterface
public interface ReactiveCallerResolver extends Function<ServerWebExchange, Mono<Caller>> {}
