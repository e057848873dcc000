package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import java.io.File;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Those who have neither Spring nor ArchUnit can compile and run what needs neither. */
class WithoutSpringTest {
    private static final String TEST = """
            import io.onefold.*;
            import io.onefold.store.MemoryStore;
            import io.onefold.test.*;

            public class Plain implements Runnable {
                public void run() {
                    MovableClock clock = MovableClock.running();
                    OutcomeCounter probe = new OutcomeCounter();
                    FaultInjectingStore chaos = FaultInjectingStore.around(new MemoryStore(clock::micros));
                    Onefold onefold = Onefold.builder(chaos).timer(clock.timer()).listener(probe).build();
                    Operation<String> pay = Operation.of("pay", String.class);
                    chaos.fail(CrashPoint.AFTER_CLAIM).once();
                    DuplicateCalls.of(() -> onefold.attempt(pay, Key.of("k"), attempt -> "paid"))
                            .times(3).concurrently().ranOnce().replayed(2).sameAnswer();
                    DuplicateCalls.of(() -> { throw new IllegalStateException(); }).oneByOne().ran(0);
                    probe.operation("pay").ranOnce().replayed(2);
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void plain_java_needs_core_alone() throws Exception {
        List<URL> jars = Stream.of(DuplicateCalls.class, Onefold.class, LoggerFactory.class, NullMarked.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toList();
        compile(jars);

        URL[] path = Stream.concat(jars.stream(), Stream.of(directory.toUri().toURL()))
                .toArray(URL[]::new);
        try (URLClassLoader alone = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Runnable test =
                    (Runnable) alone.loadClass("Plain").getDeclaredConstructor().newInstance();
            test.run();
        }
    }

    private void compile(List<URL> jars) {
        String path = jars.stream()
                .map(jar -> Path.of(URI.create(jar.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Plain.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return TEST;
                    }
                };
        boolean compiled = compiler.getTask(
                        errors,
                        null,
                        null,
                        List.of("-proc:none", "-classpath", path, "-d", directory.toString()),
                        null,
                        List.of(source))
                .call();
        assertThat(compiled).as(errors.toString()).isTrue();
    }
}
