package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Writes what holds through which door to {@code target/http-contract-report.md}. Doors may be tested by processes of their own: each
 * leaves a file, and the report is made of all of them. A case that a door cannot show is not run, and told with the reason.
 */
final class RowReport implements InvocationInterceptor, TestWatcher, AfterAllCallback {
    private static final String FAILED = "FAILED";
    private static final Path TARGET = Path.of("target");
    private static final Path PARTS = TARGET.resolve("http-contract");

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        if (reason(context).isEmpty()) {
            invocation.proceed();
        } else {
            invocation.skip();
        }
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        interceptTestMethod(invocation, method, context);
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        tell(context, reason(context).map(why -> "n/a because " + why).orElse("ok"));
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        tell(context, FAILED);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (context.getRequiredTestClass().getEnclosingClass() == null) {
            write(results(context));
        }
    }

    private static void tell(ExtensionContext context, String result) {
        if (!contract(context).fixture().reported()) {
            return;
        }
        String door = contract(context).fixture().name();
        ConcurrentMap<String, String> rows = results(context).computeIfAbsent(door, name -> new ConcurrentHashMap<>());
        for (String row : RowNames.of(context.getRequiredTestMethod())) {
            rows.merge(row, result, RowReport::both);
        }
    }

    /** Of several cases for a row the worst counts; what is n/a for some is told beside what is ok for others. */
    private static String both(String one, String other) {
        if (one.equals(FAILED) || other.equals(FAILED)) {
            return FAILED;
        }
        if (one.contains(other)) {
            return one;
        }
        return other.contains(one) ? other : one.equals("ok") ? one + ", in part " + other : other + ", in part " + one;
    }

    private static Optional<String> reason(ExtensionContext context) {
        return contract(context).fixture().notApplicable(RowNames.sentence(context.getRequiredTestMethod()));
    }

    private static DoorContract contract(ExtensionContext context) {
        return context.getRequiredTestInstances()
                .findInstance(DoorContract.class)
                .orElseThrow();
    }

    private static ConcurrentMap<String, ConcurrentMap<String, String>> results(ExtensionContext context) {
        ExtensionContext top = context;
        while (top.getParent().isPresent()
                && top.getParent().get().getTestClass().isPresent()) {
            top = top.getParent().get();
        }
        return top.getStore(Namespace.create(RowReport.class))
                .computeIfAbsent(RowReport.class, key -> new ResultMap(), ResultMap.class);
    }

    private static void write(Map<String, ? extends Map<String, String>> doors) throws IOException {
        Files.createDirectories(PARTS);
        Path guard = PARTS.resolve("lock");
        try (FileChannel channel = FileChannel.open(guard, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            for (Map.Entry<String, ? extends Map<String, String>> door : doors.entrySet()) {
                List<String> lines = new ArrayList<>();
                door.getValue().forEach((row, result) -> lines.add(row + "\t" + result));
                Files.write(PARTS.resolve(door.getKey() + ".tsv"), lines, UTF_8);
            }
            Files.write(TARGET.resolve("http-contract-report.md"), table(), UTF_8);
        }
    }

    private static List<String> table() throws IOException {
        List<String> names = new ArrayList<>();
        List<Map<String, String>> columns = new ArrayList<>();
        try (Stream<Path> files = Files.list(PARTS)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".tsv"))
                    .sorted()
                    .toList()) {
                names.add(file.getFileName().toString().replace(".tsv", ""));
                Map<String, String> column = new ConcurrentHashMap<>();
                for (String line : Files.readAllLines(file, UTF_8)) {
                    column.put(line.substring(0, line.indexOf('\t')), line.substring(line.indexOf('\t') + 1));
                }
                columns.add(column);
            }
        }
        List<String> table = new ArrayList<>();
        table.add("| row | about | " + String.join(" | ", names) + " |");
        table.add("|---|---|" + "---|".repeat(names.size()));
        Rows.titles().forEach((row, about) -> {
            StringBuilder line = new StringBuilder("| " + row + " | " + about + " |");
            columns.forEach(column ->
                    line.append(' ').append(column.getOrDefault(row, "not run")).append(" |"));
            table.add(line.toString());
        });
        return table;
    }

    private static final class ResultMap extends ConcurrentHashMap<String, ConcurrentMap<String, String>> {
        private static final long serialVersionUID = 1;
    }
}
