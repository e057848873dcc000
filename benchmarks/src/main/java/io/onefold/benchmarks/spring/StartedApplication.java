package io.onefold.benchmarks.spring;

import io.onefold.spring.Idempotent;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Starts, says how long that took since its JVM began, and waits to be stopped. */
final class StartedApplication {
    static final String READY = "ready after ms ";

    private StartedApplication() {}

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(Shop.class);
        application.setWebApplicationType(WebApplicationType.SERVLET);
        application.setDefaultProperties(Map.of(
                "onefold.enabled", arguments[0],
                "onefold.store", "memory",
                "onefold.http.principal", "anonymous",
                "server.port", "0",
                "spring.main.banner-mode", "off"));
        application.run();
        System.out.println(READY
                + (System.currentTimeMillis()
                        - ManagementFactory.getRuntimeMXBean().getStartTime()));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Shop {
        @PostMapping("/orders")
        @Idempotent(operation = "create-order")
        public String order(@RequestBody String order) {
            return "made";
        }
    }
}
