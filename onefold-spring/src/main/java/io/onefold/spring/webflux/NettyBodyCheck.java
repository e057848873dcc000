package io.onefold.spring.webflux;

import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.http.server.HttpServerResponse;

/** Works around reactor-netty: it responds by itself to a wrongly framed body, and the application only sees that the body has ended. */
final class NettyBodyCheck {
    private static final boolean PRESENT =
            ClassUtils.isPresent("reactor.netty.http.server.HttpServerResponse", NettyBodyCheck.class.getClassLoader());

    private NettyBodyCheck() {}

    /** Returns true if the server has responded to a request by itself. */
    static boolean hasAnswered(ServerHttpResponse response) {
        return PRESENT && NettyTypes.hasAnswered(response);
    }

    /** Loaded only if reactor-netty is present. */
    private static final class NettyTypes {
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
