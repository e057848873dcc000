package io.onefold.http.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A container that runs, with few threads. */
interface Container extends AutoCloseable {
    int THREADS = 8;

    /**
     * How things are registered.
     *
     * @param filter whether the filter supports asynchronous requests
     * @param servlets whether the servlets do
     * @param dispatches whether the filter is mapped for asynchronous dispatches
     */
    record Registration(boolean filter, boolean servlets, boolean dispatches) {
        static final Registration RIGHT = new Registration(true, true, true);

        EnumSet<DispatcherType> types() {
            return dispatches
                    ? EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC)
                    : EnumSet.of(DispatcherType.REQUEST);
        }
    }

    int port();

    /** How long those who connect from now on may send nothing. */
    void patience(Duration time);

    @Override
    void close();

    /** Which one. */
    enum Kind {
        TOMCAT {
            @Override
            Container start(Filter filter, Map<String, Servlet> servlets, Registration how) throws Exception {
                Tomcat tomcat = new Tomcat();
                Path base = Files.createTempDirectory(
                        Files.createDirectories(Path.of("target", "tomcat").toAbsolutePath()), "");
                tomcat.setBaseDir(base.toString());
                tomcat.setPort(0);
                tomcat.getConnector().setProperty("maxThreads", Integer.toString(THREADS));
                tomcat.getConnector().addUpgradeProtocol(new Http2Protocol());
                Context context = tomcat.addContext("", base.toString());
                servlets.forEach((path, servlet) -> {
                    Tomcat.addServlet(context, path, servlet).setAsyncSupported(how.servlets());
                    context.addServletMappingDecoded(path, path);
                });
                FilterDef definition = new FilterDef();
                definition.setFilterName("onefold");
                definition.setFilter(filter);
                definition.setAsyncSupported(Boolean.toString(how.filter()));
                context.addFilterDef(definition);
                FilterMap mapping = new FilterMap();
                mapping.setFilterName("onefold");
                mapping.addURLPattern("/*");
                how.types().forEach(type -> mapping.setDispatcher(type.name()));
                context.addFilterMap(mapping);
                tomcat.start();
                return new Container() {
                    @Override
                    public int port() {
                        return tomcat.getConnector().getLocalPort();
                    }

                    @Override
                    public void patience(Duration time) {
                        tomcat.getConnector().setProperty("connectionTimeout", Long.toString(time.toMillis()));
                    }

                    @Override
                    public void close() {
                        try {
                            tomcat.stop();
                            tomcat.destroy();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    }
                };
            }
        },
        JETTY {
            @Override
            Container start(Filter filter, Map<String, Servlet> servlets, Registration how) throws Exception {
                Server server = new Server(new QueuedThreadPool(THREADS));
                ServerConnector connector = new ServerConnector(server, 1, 1);
                server.addConnector(connector);
                ServletContextHandler context = new ServletContextHandler("/");
                servlets.forEach((path, servlet) -> {
                    ServletHolder holder = new ServletHolder(servlet);
                    holder.setAsyncSupported(how.servlets());
                    context.addServlet(holder, path);
                });
                FilterHolder holder = new FilterHolder(filter);
                holder.setAsyncSupported(how.filter());
                context.addFilter(holder, "/*", how.types());
                server.setHandler(context);
                server.start();
                return new Container() {
                    @Override
                    public int port() {
                        return connector.getLocalPort();
                    }

                    @Override
                    public void patience(Duration time) {
                        connector.setIdleTimeout(time.toMillis());
                    }

                    @Override
                    public void close() {
                        try {
                            server.stop();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    }
                };
            }
        };

        abstract Container start(Filter filter, Map<String, Servlet> servlets, Registration how) throws Exception;

        Container start(Filter filter, Map<String, Servlet> servlets) throws Exception {
            return start(filter, servlets, Registration.RIGHT);
        }
    }
}
