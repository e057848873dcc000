package io.onefold.spring.boot;

import io.onefold.Onefold;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ApplicationContextFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** An application on a class path of its own. */
public final class Elsewhere {
    /** A setting for {@link #run}: whatever the application is, nobody can reach it. */
    static final String WITHOUT_SERVER = "--without-server";

    private static final String OURS = "io.onefold.";

    private Elsewhere() {}

    /** What there is here. */
    static List<Path> classPath() {
        String here = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return List.of(here.split(File.pathSeparator, -1)).stream()
                .map(Path::of)
                .toList();
    }

    /** Starts it on what of this class path is wanted, and more. What it says is on standard output. */
    static void start(Predicate<Path> wanted, Path... more) throws Exception {
        start(Empty.class, wanted, List.of("--spring.main.web-application-type=none", "--onefold.store=memory"), more);
    }

    /** Returns which of our classes it has imported, configurations above all. */
    @SuppressWarnings("unchecked") // see run
    static Set<String> start(Class<?> application, Predicate<Path> wanted, List<String> settings, Path... more)
            throws Exception {
        List<URL> urls = new ArrayList<>();
        for (Path entry : classPath()) {
            if (wanted.test(entry)) {
                urls.add(url(entry));
            }
        }
        for (Path entry : more) {
            urls.add(url(entry));
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            return (Set<String>) loader.loadClass(Elsewhere.class.getName())
                    .getMethod("run", String.class, String[].class)
                    .invoke(null, application.getName(), settings.toArray(String[]::new));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }

    /** Called in the other class path. */
    public static Set<String> run(String application, String... settings) throws ClassNotFoundException {
        leaveProtocolsAlone();
        SpringApplication starting = new SpringApplication(Class.forName(application));
        if (List.of(settings).contains(WITHOUT_SERVER)) {
            starting.setApplicationContextFactory(new WithoutServer());
        }
        starting.setBannerMode(Banner.Mode.OFF);
        try (ConfigurableApplicationContext context = starting.run(settings)) {
            context.getBean(Onefold.class);
            Set<String> ours = new TreeSet<>();
            for (String bean : context.getBeanDefinitionNames()) {
                // what is imported has the name of its class
                if (bean.startsWith(OURS)) {
                    ours.add(bean);
                }
            }
            return ours;
        }
    }

    /** Else Tomcat would handle some for the whole process, and its first class path would be the only one that it knows. */
    private static void leaveProtocolsAlone() {
        String handlers = "org.apache.catalina.webresources.TomcatURLStreamHandlerFactory";
        ClassLoader loader = Elsewhere.class.getClassLoader();
        if (ClassUtils.isPresent(handlers, loader)) {
            ReflectionUtils.invokeMethod(
                    ClassUtils.getMethod(ClassUtils.resolveClassName(handlers, loader), "disable"), null);
        }
    }

    /** For an application of its kind all the same. */
    private static final class WithoutServer implements ApplicationContextFactory {
        @Override
        public ConfigurableApplicationContext create(@Nullable WebApplicationType type) {
            return new AnnotationConfigApplicationContext();
        }

        @Override
        public @Nullable Class<? extends ConfigurableEnvironment> getEnvironmentType(
                @Nullable WebApplicationType type) {
            return DEFAULT.getEnvironmentType(type);
        }

        @Override
        public @Nullable ConfigurableEnvironment createEnvironment(@Nullable WebApplicationType type) {
            return DEFAULT.createEnvironment(type);
        }
    }

    @Application
    static class Empty {}
}
