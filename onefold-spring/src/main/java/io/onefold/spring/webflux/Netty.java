package io.onefold.spring.webflux;

import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.http.server.HttpServerResponse;

/**
 * What must be known of reactor-netty: it answers a body that is framed wrongly by itself, and tells the application no more than that
 * the body has ended.
 */
final class Netty {
    private static final boolean PRESENT =
            ClassUtils.isPresent("reactor.netty.http.server.HttpServerResponse", Netty.class.getClassLoader());

    private Netty() {}

    /** Whether a request was answered though nobody has answered it. */
    static boolean hasAnswered(ServerHttpResponse response) {
        return PRESENT && Own.hasAnswered(response);
    }

    /** Loaded only where there is a reactor-netty. */
    private static final class Own {
        static boolean hasAnswered(ServerHttpResponse response) {
            ServerHttpResponse innermost = response;
            while (innermost instanceof ServerHttpResponseDecorator decorator) {
                innermost = decorator.getDelegate();
            }
            try {
                return innermost instanceof AbstractServerHttpResponse server
                        && server.getNativeResponse() instanceof HttpServerResponse netty
                        && netty.hasSentHeaders();
            } catch (IllegalStateException e) {
                return false; // that of a test without a server, which throws instead of having none
            }
        }
    }
}
