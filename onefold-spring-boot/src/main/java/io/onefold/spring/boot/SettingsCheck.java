package io.onefold.spring.boot;

import io.onefold.spring.IdempotentMethodRegistry;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Refuses settings that nothing would heed. */
final class SettingsCheck {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsCheck.class);

    private final OnefoldProperties properties;
    private final IdempotentMethodRegistry methods;
    private final ObjectProvider<HttpReport> http;

    SettingsCheck(OnefoldProperties properties, IdempotentMethodRegistry methods, ObjectProvider<HttpReport> http) {
        this.properties = properties;
        this.methods = methods;
        this.http = http;
    }

    /** @throws ContradictorySettingsException naming the property, and what is allowed */
    void check(ConfiguredSettings configured) {
        Set<String> ofMethods = new TreeSet<>();
        methods.all().forEach(method -> ofMethods.add(method.name()));
        ofMethods.addAll(methods.replaced());
        Set<String> known = new TreeSet<>(ofMethods);
        known.addAll(ofRoutes());
        List<String> unseen = methods.unseen();
        for (String name : new TreeSet<>(configured.names())) {
            if (!known.contains(name) && !unseen.isEmpty()) {
                LOG.warn(
                        "{} is for an operation that is not known yet; it may be that of a bean which is made later: {}. There are {}",
                        property(name),
                        unseen,
                        known);
            } else if (!known.contains(name)) {
                throw new ContradictorySettingsException(
                        property(name) + " is for an operation that neither a method nor a route has; there are "
                                + known,
                        "Correct or remove it. A name with dots, spaces or slashes stands in brackets,"
                                + " onefold.operations[POST /orders].keep, and in YAML with quotes around them.");
            }
        }
        configured.byOperation().forEach((name, settings) -> {
            boolean route = known.contains(name) && !ofMethods.contains(name);
            Set<String> unheeded = route ? settings.onlyOfMethods() : Set.of();
            if (!unheeded.isEmpty()) {
                throw new ContradictorySettingsException(
                        property(name) + "." + String.join(", ", unheeded) + " is for methods with an annotation, and "
                                + name + " is a route",
                        "Remove it: allowed are keep, wait-for, lease, max-run, duplicates, message, safe-to-repeat,"
                                + " waiters-share-failure, hash-keys and shadow.");
            }
        });
    }

    /** Configured ones count in any case: applications that are of no use for requests may share their configuration. */
    private Set<String> ofRoutes() {
        Set<String> names = new TreeSet<>();
        for (RouteProperties route : properties.http().routes()) {
            ApplicationRoutes.named(route.route(), properties.http().profile()).forEach(named -> {
                if (named.operation() != null) {
                    names.add(named.operation());
                }
            });
        }
        http.ifAvailable(report -> names.addAll(report.configurable()));
        return names;
    }

    private static String property(String name) {
        return name.matches("[a-z0-9-]+") ? "onefold.operations." + name : "onefold.operations[" + name + "]";
    }
}
