package io.onefold.spring.boot;

import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import java.io.File;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

class TomcatContractTest extends DoorContract {
    @Override
    protected DoorFixture fixture() {
        return BootDoor.of(
                "starter in Tomcat", Mvc.class, TomcatServletWebServerFactory.class, TomcatContractTest::server);
    }

    private static TomcatServletWebServerFactory server() {
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
