package io.onefold.spring.webflux;

import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** An application without a context, on reactor-netty. */
record NettyServer(DisposableServer server) implements AutoCloseable {

    static NettyServer start(WebHandler application, WebFilter... filters) {
        return start(WebHttpHandlerBuilder.webHandler(application).filter(filters));
    }

    static NettyServer start(WebHttpHandlerBuilder application) {
        ReactorHttpHandlerAdapter handler = new ReactorHttpHandlerAdapter(application.build());
        return new NettyServer(
                HttpServer.create().host("127.0.0.1").port(0).handle(handler).bindNow());
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.disposeNow();
    }
}
