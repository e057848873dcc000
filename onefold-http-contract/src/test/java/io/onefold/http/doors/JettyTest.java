package io.onefold.http.doors;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterRemarks;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import jakarta.servlet.ServletContext;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

class JettyTest extends AdapterContract {

    @Override
    protected AdapterFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements AdapterFixture {
        @Override
        public String name() {
            return "filter in Jetty";
        }

        @Override
        public Optional<String> notApplicable(String name) {
            return AdapterRemarks.notInServlets(name);
        }

        @Override
        public String told(String name) {
            return AdapterRemarks.inServlets(name);
        }

        @Override
        public RunningAdapter open(AdapterSetup setting, TestService business) throws Exception {
            return start(context -> ServletDoor.deploy(context, setting, business));
        }
    }

    static RunningAdapter start(Consumer<ServletContext> deployment) throws Exception {
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

    private record Running(Server server, ServerConnector connector) implements RunningAdapter {
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
