package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import java.io.File;
import org.junit.jupiter.api.AfterAll;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.HttpEncodingAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.MultipartAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.error.ErrorMvcAutoConfiguration;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.context.annotation.Configuration;

class Tomcat10ContractTest extends AdapterContract {
    private static final BootDoor DOOR = BootDoor.of(
            "starter in Tomcat 10", Mvc3.class, TomcatServletWebServerFactory.class, Tomcat10ContractTest::server);

    @Override
    protected AdapterFixture fixture() {
        return DOOR;
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }

    /** Spring MVC, as Spring Boot 3 makes it. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class,
        HttpEncodingAutoConfiguration.class,
        MultipartAutoConfiguration.class,
        ErrorMvcAutoConfiguration.class
    })
    static class Mvc3 {}

    static TomcatServletWebServerFactory server() {
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        factory.setBaseDirectory(new File("target/tomcat"));
        factory.addConnectorCustomizers(connector -> {
            // the default asks for the body before anybody has looked at the key
            connector.setProperty("continueResponseTiming", "onRead");
            connector.setProperty("maxThreads", "100");
        });
        return factory;
    }
}
