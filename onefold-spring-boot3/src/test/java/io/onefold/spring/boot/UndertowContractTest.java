package io.onefold.spring.boot;

import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import io.undertow.UndertowOptions;
import org.junit.jupiter.api.AfterAll;
import org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory;

/** Undertow, which Spring Boot 3.5 is the last to have. */
class UndertowContractTest extends DoorContract {
    private static final BootDoor DOOR = BootDoor.of(
            "starter in Undertow",
            Tomcat10ContractTest.Mvc3.class,
            UndertowServletWebServerFactory.class,
            UndertowContractTest::server);

    @Override
    protected DoorFixture fixture() {
        return DOOR;
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }

    private static UndertowServletWebServerFactory server() {
        UndertowServletWebServerFactory factory = new UndertowServletWebServerFactory(0);
        factory.setWorkerThreads(100);
        // the default is 2 MiB, less than a body may have
        factory.addBuilderCustomizers(builder -> builder.setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L));
        return factory;
    }
}
