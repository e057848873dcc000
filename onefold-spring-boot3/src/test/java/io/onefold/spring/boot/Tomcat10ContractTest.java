package io.onefold.spring.boot;

import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import java.io.File;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;

class Tomcat10ContractTest extends DoorContract {
    @Override
    protected DoorFixture fixture() {
        return BootDoor.of("starter in Tomcat 10", TomcatServletWebServerFactory.class, Tomcat10ContractTest::server);
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
