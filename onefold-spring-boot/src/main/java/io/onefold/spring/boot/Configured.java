package io.onefold.spring.boot;

import io.onefold.spring.OperationSettings;
import io.onefold.spring.Policies;
import io.onefold.spring.boot.OnefoldProperties.Enforcement;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * What the environment says of operations at this moment.
 *
 * @param all for every operation
 * @param byOperation for operations by their names
 */
record Configured(OperationSettings all, Map<String, OperationSettings> byOperation) {

    static Configured in(Environment environment) {
        Binder binder = Binder.get(environment);
        OperationSettings all = binder.bind("onefold.defaults", OperationProperties.class)
                .map(OperationProperties::settings)
                .orElse(OperationSettings.NONE);
        boolean shadow =
                binder.bind("onefold.mode", Enforcement.class).orElse(Enforcement.ENFORCE) == Enforcement.SHADOW;
        Map<String, OperationSettings> byOperation = new HashMap<>();
        binder.bind("onefold.operations", Bindable.mapOf(String.class, OperationProperties.class))
                .ifBound(operations ->
                        operations.forEach((name, properties) -> byOperation.put(name, properties.settings())));
        if (shadow) {
            // for all, whatever single ones say: nothing is changed
            byOperation.replaceAll((name, settings) -> settings.shadow(true));
            all = all.shadow(true);
        }
        return new Configured(all, Map.copyOf(byOperation));
    }

    Policies policies() {
        return new Policies(all, byOperation);
    }
}
