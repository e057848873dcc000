package io.onefold.spring.boot;

import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import java.io.File;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.servlet.ServletWebServerFactory;

class TomcatContractTest extends DoorContract {
    @Override
    protected DoorFixture fixture() {
        return new BootDoor("starter in Tomcat", TomcatContractTest::server);
    }

    private static ServletWebServerFactory server() {
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
