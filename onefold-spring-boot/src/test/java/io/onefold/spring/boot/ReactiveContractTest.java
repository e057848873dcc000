package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import org.junit.jupiter.api.AfterAll;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.ReactiveMultipartAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.error.ErrorWebFluxAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** Each row of the contract through the starter, in WebFlux on reactor-netty. */
class ReactiveContractTest extends AdapterContract {
    private static final ReactiveBootDoor DOOR = new ReactiveBootDoor("starter in WebFlux", Handling.class);

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
