package io.onefold.spring.boot;

import io.onefold.Onefold;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** An application on a class path of its own. */
public final class Elsewhere {
    private Elsewhere() {}

    /** Starts it on what of this class path is wanted, and more. What it says is on standard output. */
    static void start(Predicate<Path> wanted, Path... more) throws Exception {
        start(Empty.class, wanted, List.of("--spring.main.web-application-type=none", "--onefold.store=memory"), more);
    }

    static void start(Class<?> application, Predicate<Path> wanted, List<String> settings, Path... more)
            throws Exception {
        List<URL> urls = new ArrayList<>();
        String here = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : here.split(File.pathSeparator, -1)) {
            if (wanted.test(Path.of(entry))) {
                urls.add(url(Path.of(entry)));
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
            loader.loadClass(Elsewhere.class.getName())
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
    public static void run(String application, String... settings) throws ClassNotFoundException {
        SpringApplication starting = new SpringApplication(Class.forName(application));
        starting.setBannerMode(Banner.Mode.OFF);
        try (ConfigurableApplicationContext context = starting.run(settings)) {
            context.getBean(Onefold.class);
        }
    }

    @Application
    static class Empty {}
}
