package io.onefold.spring.boot;

import io.onefold.Onefold;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/** Tells what is protected and how, and what is not, before the first request is taken. */
final class StartupReport implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(StartupReport.class);

    private final Onefold onefold;
    private final OperationCatalog operations;
    private final ObjectProvider<HttpReport> http;
    private final ObjectProvider<LeasedTransactionReport> joins;
    private final OnefoldProperties properties;
    private final Runnable check;
    private volatile boolean told;

    /** @param check refuses settings that nothing would heed */
    StartupReport(
            Onefold onefold,
            OperationCatalog operations,
            ObjectProvider<HttpReport> http,
            ObjectProvider<LeasedTransactionReport> joins,
            OnefoldProperties properties,
            Runnable check) {
        this.onefold = onefold;
        this.operations = operations;
        this.http = http;
        this.joins = joins;
        this.properties = properties;
        this.check = check;
    }

    @Override
    public void start() {
        told = true;
        http.ifAvailable(HttpReport::check);
        check.run();
        LOG.info("{}", operations());
        joins.ifAvailable(report -> warn(
                "These are @Transactional, and the store could write their records in the same transaction, but does not: an"
                        + " effect may stay without its record. See which transaction manager and which propagation they have;"
                        + " mode = Mode.LEASED says that this is intended",
                report.apart()));
        http.ifAvailable(report -> {
            warn(
                    "Nobody can observe all requests of these, which are in shadow; duplicates may go unnoticed",
                    report.unobserved());
            warn(
                    "Requests of routes do not heed these, which are for methods with an annotation",
                    report.routes().isEmpty() ? Set.of() : unheeded());
            warn(
                    "Nothing makes these endpoints safe to repeat; add @Idempotent, or say @NotIdempotent(\"why\")",
                    report.unprotected());
        });
    }

    private static void warn(String what, Collection<String> which) {
        if (!which.isEmpty()) {
            LOG.warn("{}:\n  {}", what, String.join("\n  ", which));
        }
    }

    private List<String> unheeded() {
        return properties.defaults().onlyOfMethods().stream()
                .map(name -> "onefold.defaults." + name)
                .toList();
    }

    String operations() {
        StringBuilder text = new StringBuilder("Onefold on ")
                .append(onefold.store().getClass().getSimpleName())
                .append(
                        properties.mode() == OnefoldProperties.Enforcement.SHADOW
                                ? ", in shadow: nothing is changed"
                                : "");
        http.ifAvailable(report -> text.append(report.callers().isEmpty() ? "" : "\n  callers: " + report.callers()));
        operations.all().forEach(each -> text.append("\n  ").append(line(each)));
        return text.toString();
    }

    private static String line(OperationCatalog.OperationView operation) {
        return operation.name() + ": " + operation.guarantee()
                + (operation.isOfRoute() ? ", by its route" : "")
                + (operation.key() == null ? "" : ", key: " + operation.key())
                + (operation.keep() == null ? "" : ", keep: " + spelled(operation.keep()))
                + (operation.derivedName() ? ", NAMED AFTER ITS METHOD: renaming that makes it another operation" : "");
    }

    private static String spelled(Duration keep) {
        return keep.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    /** Before web servers. */
    @Override
    public int getPhase() {
        return 0;
    }

    @Override
    public void stop() {
        told = false;
    }

    @Override
    public boolean isRunning() {
        return told;
    }
}
