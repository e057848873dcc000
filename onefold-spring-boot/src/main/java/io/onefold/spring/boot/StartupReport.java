package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.Presets;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/** Tells what is protected and how, and what is not, before the first request is taken. */
final class StartupReport implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(StartupReport.class);

    private final Onefold onefold;
    private final IdempotentMethods methods;
    private final ObjectProvider<HttpReport> http;
    private final OnefoldProperties properties;
    private volatile boolean told;

    StartupReport(
            Onefold onefold, IdempotentMethods methods, ObjectProvider<HttpReport> http, OnefoldProperties properties) {
        this.onefold = onefold;
        this.methods = methods;
        this.http = http;
        this.properties = properties;
    }

    @Override
    public void start() {
        told = true;
        http.ifAvailable(HttpReport::check);
        LOG.info("{}", operations());
        http.ifAvailable(report -> {
            List<String> open = report.unprotected();
            if (!open.isEmpty()) {
                LOG.warn(
                        "Nothing makes these endpoints safe to repeat; add @Idempotent, or say @NotIdempotent(\"why\"):\n  {}",
                        String.join("\n  ", open));
            }
        });
    }

    String operations() {
        StringBuilder text = new StringBuilder("Onefold on ")
                .append(onefold.store().getClass().getSimpleName())
                .append(
                        properties.mode() == OnefoldProperties.Enforcement.SHADOW
                                ? ", in shadow: nothing is changed"
                                : "");
        for (IdempotentMethod method : methods.all()) {
            text.append("\n  ").append(line(method));
        }
        http.ifAvailable(report -> report.routes()
                .forEach(route -> text.append("\n  ").append(route).append(": leased (at most once), by its route")));
        return text.toString();
    }

    private static String line(IdempotentMethod method) {
        Duration keep = method.settings().keep();
        return method.name() + ": " + guarantee(method) + ", key: " + method.keyPlace() + ", keep: "
                + (keep == null ? Presets.DEFAULT : keep)
                        .toString()
                        .substring(2)
                        .toLowerCase(Locale.ROOT)
                + (method.isDerived() ? ", NAMED AFTER ITS METHOD: renaming that makes it another operation" : "");
    }

    /** In the words of the guarantees that are documented. */
    static String guarantee(IdempotentMethod method) {
        if (method.settings().isShadow()) {
            return "shadow (observed only)";
        }
        return method.mode() == Mode.JOINED ? "joined (exactly one effect in the database)" : "leased (at most once)";
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
