package io.onefold.spring.boot;

import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import org.junit.jupiter.api.AfterAll;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;

class JettyContractTest extends DoorContract {
    private static final BootDoor DOOR = BootDoor.of(
            "starter in Jetty",
            Mvc.class,
            JettyServletWebServerFactory.class,
            () -> new JettyServletWebServerFactory(0));

    @Override
    protected DoorFixture fixture() {
        return DOOR;
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }
}
