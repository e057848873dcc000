package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import org.junit.jupiter.api.AfterAll;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;

class JettyContractTest extends AdapterContract {
    private static final BootDoor DOOR = BootDoor.of(
            "starter in Jetty",
            Mvc.class,
            JettyServletWebServerFactory.class,
            () -> new JettyServletWebServerFactory(0));

    @Override
    protected AdapterFixture fixture() {
        return DOOR;
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }
}
