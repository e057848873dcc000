package io.onefold.spring.boot;

import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import org.junit.jupiter.api.AfterAll;
import org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory;

/** Jetty with Jakarta EE 10, as Spring Boot 3.5 has it. */
class Jetty12Ee10ContractTest extends DoorContract {
    private static final BootDoor DOOR = BootDoor.of(
            "starter in Jetty, EE 10",
            Tomcat10ContractTest.Mvc3.class,
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
