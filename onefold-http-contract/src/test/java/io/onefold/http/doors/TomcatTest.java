package io.onefold.http.doors;

import io.onefold.http.contract.Business;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Remarks;
import io.onefold.http.contract.Setting;
import jakarta.servlet.ServletContext;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

class TomcatTest extends DoorContract {
    /** Held, so that it stays as quiet as it is told to be. */
    private static final Logger CONTAINER = Logger.getLogger("org.apache");

    static {
        CONTAINER.setLevel(Level.SEVERE);
    }

    @Override
    protected DoorFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements DoorFixture {
        @Override
        public String name() {
            return "filter in Tomcat";
        }

        @Override
        public Optional<String> notApplicable(String name) {
            return Remarks.notInServlets(name);
        }

        @Override
        public String told(String name) {
            return Remarks.inTomcat(name);
        }

        @Override
        public Door open(Setting setting, Business business) throws Exception {
            return start(context -> ServletDoor.deploy(context, setting, business));
        }
    }

    static Door start(Consumer<ServletContext> deployment) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Path.of("target", "tomcat").toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        // the default asks for the body before anybody has looked at the key
        connector.setProperty("continueResponseTiming", "onRead");
        connector.setProperty("maxThreads", "100");
        connector.setProperty("minSpareThreads", "2");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        context.addServletContainerInitializer(
                (classes, servletContext) -> deployment.accept(servletContext), Set.of());
        tomcat.start();
        return new Running(tomcat);
    }

    private record Running(Tomcat tomcat) implements Door {
        @Override
        public int port() {
            return tomcat.getConnector().getLocalPort();
        }

        @Override
        public void close() throws LifecycleException {
            tomcat.stop();
            tomcat.destroy();
        }
    }
}
