package io.onefold.spring.boot;

import io.onefold.Operation;
import io.onefold.RetentionPresets;
import io.onefold.http.OperationCoverage;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.InvocationSource;
import io.onefold.spring.OperationSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** The operations of an application, wherever they are declared: annotated methods, routes, and beans of type {@link Operation}. */
final class OperationCatalog {
    private final IdempotentMethodRegistry methods;
    private final ObjectProvider<HttpReport> http;
    private final ObjectProvider<Operation<?>> beans;

    OperationCatalog(
            IdempotentMethodRegistry methods, ObjectProvider<HttpReport> http, ObjectProvider<Operation<?>> beans) {
        this.methods = methods;
        this.http = http;
        this.beans = beans;
    }

    List<OperationView> all() {
        Map<String, OperationCoverage> covered = new TreeMap<>();
        http.ifAvailable(report -> report.coverage().forEach(each -> covered.put(each.operation(), each)));
        Map<String, Operation<?>> others = new TreeMap<>();
        beans.stream().forEach(operation -> others.put(operation.name(), operation));
        List<OperationView> all = new ArrayList<>();
        for (IdempotentMethod method : methods.all()) {
            OperationCoverage claimed = covered.remove(method.name());
            others.remove(method.name());
            all.add(claimed == null ? OperationView.of(method) : OperationView.of(claimed, method));
        }
        covered.values().forEach(coverage -> {
            others.remove(coverage.operation());
            all.add(OperationView.of(coverage, null));
        });
        others.keySet().forEach(name -> all.add(OperationView.ofBean(name)));
        return all;
    }

    /**
     * How an operation behaves; what is null was not chosen anywhere, or is not known here.
     *
     * @param method null if it is not that of a method
     * @param key where it stands
     */
    record OperationView(
            String name,
            @Nullable String method,
            String door,
            String guarantee,
            @Nullable String key,
            boolean derivedName,
            @Nullable Duration keep,
            @Nullable Duration waitFor,
            @Nullable Duration lease,
            @Nullable Duration maxRun,
            boolean rejectsDuplicates,
            boolean safeToRepeat) {

        static OperationView of(IdempotentMethod method) {
            OperationSettings settings = method.settings();
            return new OperationView(
                    method.name(),
                    method.toString(),
                    method.door().name().toLowerCase(Locale.ROOT),
                    GuaranteeText.of(method),
                    method.keyPlace(),
                    method.isDerived(),
                    settings.keep() == null ? RetentionPresets.DEFAULT : settings.keep(),
                    settings.waitFor(),
                    settings.lease(),
                    settings.maxRun(),
                    settings.rejects(),
                    Boolean.TRUE.equals(settings.safeToRepeat()));
        }

        /** @param method the handler that the filter claims for; null if there is none */
        static OperationView of(OperationCoverage coverage, @Nullable IdempotentMethod method) {
            return new OperationView(
                    coverage.operation(),
                    method == null ? null : method.toString(),
                    InvocationSource.HTTP.name().toLowerCase(Locale.ROOT),
                    GuaranteeText.of(coverage),
                    coverage.key(),
                    false,
                    coverage.keep(),
                    coverage.waitFor(),
                    coverage.lease(),
                    coverage.maxRun(),
                    coverage.rejectsDuplicates(),
                    coverage.safeToRepeat());
        }

        static OperationView ofBean(String name) {
            String door = InvocationSource.CALL.name().toLowerCase(Locale.ROOT);
            return new OperationView(
                    name, null, door, GuaranteeText.BY_CALL, null, false, null, null, null, null, false, false);
        }

        boolean isOfRoute() {
            return method == null && key != null;
        }
    }
}
