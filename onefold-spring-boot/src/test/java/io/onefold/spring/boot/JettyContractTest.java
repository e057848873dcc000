package io.onefold.spring.boot;

import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;

class JettyContractTest extends DoorContract {
    @Override
    protected DoorFixture fixture() {
        return BootDoor.of(
                "starter in Jetty", JettyServletWebServerFactory.class, () -> new JettyServletWebServerFactory(0));
    }
}
