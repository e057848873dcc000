package io.onefold.http.doors;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterRemarks;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
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

class TomcatTest extends AdapterContract {
    /** Held, so that it stays as quiet as it is told to be. */
    private static final Logger CONTAINER = Logger.getLogger("org.apache");

    static {
        CONTAINER.setLevel(Level.SEVERE);
    }

    @Override
    protected AdapterFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements AdapterFixture {
        @Override
        public String name() {
            return "filter in Tomcat";
        }

        @Override
        public Optional<String> notApplicable(String name) {
            return AdapterRemarks.notInServlets(name);
        }

        @Override
        public String told(String name) {
            return AdapterRemarks.inTomcat(name);
        }

        @Override
        public RunningAdapter open(AdapterSetup setting, TestService business) throws Exception {
            return start(context -> ServletDoor.deploy(context, setting, business));
        }
    }

    static RunningAdapter start(Consumer<ServletContext> deployment) throws Exception {
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

    private record Running(Tomcat tomcat) implements RunningAdapter {
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
