package io.onefold.http.doors;

import io.onefold.http.contract.Business;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Remarks;
import io.onefold.http.contract.Setting;
import jakarta.servlet.ServletContext;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

class JettyTest extends DoorContract {

    @Override
    protected DoorFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements DoorFixture {
        @Override
        public String name() {
            return "filter in Jetty";
        }

        @Override
        public Optional<String> notApplicable(String name) {
            return Remarks.notInServlets(name);
        }

        @Override
        public String told(String name) {
            return Remarks.inServlets(name);
        }

        @Override
        public Door open(Setting setting, Business business) throws Exception {
            return start(context -> ServletDoor.deploy(context, setting, business));
        }
    }

    static Door start(Consumer<ServletContext> deployment) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServletContainerInitializer((classes, servletContext) -> deployment.accept(servletContext));
        server.setHandler(context);
        server.start();
        return new Running(server, connector);
    }

    private record Running(Server server, ServerConnector connector) implements Door {
        @Override
        public int port() {
            return connector.getLocalPort();
        }

        @Override
        public void close() throws Exception {
            server.stop();
        }
    }
}
