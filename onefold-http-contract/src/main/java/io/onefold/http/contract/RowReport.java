package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Writes the results of all adapters to {@code target/http-contract-report.md}. Adapters may be tested by processes of
 * their own: each leaves a file, and the report is made of all of them. A case that an adapter cannot show is not run,
 * and the report gives the reason.
 */
final class RowReport implements InvocationInterceptor, TestWatcher, AfterAllCallback {
    private static final String FAILED = ContractReport.FAILED;
    private static final String OK = "ok";
    private static final String MORE = "; ";
    private static final String PARTLY = "in part ";
    private static final Path TARGET = Path.of("target");

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
        String name = RowNames.sentence(context.getRequiredTestMethod());
        String held = contract(context).fixture().told(name);
        tell(context, reason(context).map(why -> "n/a because " + why).orElse(held));
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

    /**
     * Combines the results of two cases of one row. A failure outweighs all else. If one case is n/a or has
     * reservations and another is ok, the row shows both.
     */
    private static String both(String one, String other) {
        if (one.equals(FAILED) || other.equals(FAILED)) {
            return FAILED;
        }
        Set<String> told = new TreeSet<>();
        for (String result : List.of(one, other)) {
            for (String part : result.split(MORE, -1)) {
                told.add(part.startsWith(PARTLY) ? part.substring(PARTLY.length()) : part);
            }
        }
        boolean holds = told.removeIf(OK::equals);
        StringBuilder all = new StringBuilder(holds ? OK : "");
        for (String part : told) {
            all.append(all.isEmpty() ? "" : MORE).append(holds ? PARTLY : "").append(part);
        }
        return all.toString();
    }

    private static Optional<String> reason(ExtensionContext context) {
        return contract(context).fixture().notApplicable(RowNames.sentence(context.getRequiredTestMethod()));
    }

    private static AdapterContract contract(ExtensionContext context) {
        return context.getRequiredTestInstances()
                .findInstance(AdapterContract.class)
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
        Files.createDirectories(ContractReport.parts());
        Path guard = ContractReport.parts().resolve("lock");
        try (FileChannel channel = FileChannel.open(guard, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            for (Map.Entry<String, ? extends Map<String, String>> door : doors.entrySet()) {
                ContractReport.write(door.getKey(), door.getValue());
            }
            Files.write(
                    TARGET.resolve("http-contract-report.md"),
                    ContractReport.table(List.of(ContractReport.parts())),
                    UTF_8);
        }
    }

    private static final class ResultMap extends ConcurrentHashMap<String, ConcurrentMap<String, String>> {
        private static final long serialVersionUID = 1;
    }
}
