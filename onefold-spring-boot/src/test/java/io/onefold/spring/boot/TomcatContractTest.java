package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import java.io.File;
import org.junit.jupiter.api.AfterAll;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

class TomcatContractTest extends AdapterContract {
    private static final BootDoor DOOR = BootDoor.of(
            "starter in Tomcat", Mvc.class, TomcatServletWebServerFactory.class, TomcatContractTest::server);

    @Override
    protected AdapterFixture fixture() {
        return DOOR;
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }

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
