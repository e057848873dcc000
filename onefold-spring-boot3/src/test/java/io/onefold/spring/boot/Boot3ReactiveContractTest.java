package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import org.junit.jupiter.api.AfterAll;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.http.codec.CodecsAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.ReactiveMultipartAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.error.ErrorWebFluxAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** Each row of the contract through the starter, in WebFlux on reactor-netty. */
class Boot3ReactiveContractTest extends AdapterContract {
    private static final ReactiveBootDoor DOOR = new ReactiveBootDoor("starter in WebFlux of Boot 3", Handling.class);

    @Override
    protected AdapterFixture fixture() {
        return DOOR;
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        HttpHandlerAutoConfiguration.class,
        CodecsAutoConfiguration.class,
        WebFluxAutoConfiguration.class,
        ReactiveMultipartAutoConfiguration.class,
        ErrorWebFluxAutoConfiguration.class
    })
    static class Handling {}
}
