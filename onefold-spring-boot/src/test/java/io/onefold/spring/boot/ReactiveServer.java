package io.onefold.spring.boot;

import java.time.Duration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.reactive.ReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/** reactor-netty, since others are on the class path, too. */
@Configuration(proxyBeanMethods = false)
class ReactiveServer {
    /** Its own: what all share is gone when the first application ends. */
    @Bean
    ReactorResourceFactory threads() {
        ReactorResourceFactory threads = new ReactorResourceFactory();
        threads.setUseGlobalResources(false);
        threads.setShutdownQuietPeriod(Duration.ZERO);
        return threads;
    }

    @Bean
    ReactiveWebServerFactory server(ReactorResourceFactory threads) {
        NettyReactiveWebServerFactory server = new NettyReactiveWebServerFactory(0);
        server.setResourceFactory(threads);
        return server;
    }
}
