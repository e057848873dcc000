package io.onefold.spring.boot;

import io.onefold.spring.LegacySettings;
import io.onefold.spring.OperationSettings;
import io.onefold.spring.OperationSettingsRegistry;
import io.onefold.spring.boot.OnefoldProperties.Enforcement;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * What the environment says of operations at this moment.
 *
 * @param all for every operation
 * @param byOperation for operations by their names
 * @param names those names, and what stands in the place of one but says nothing that is known
 * @param legacy what {@code idempotent.*} says
 * @param shadow whether all are in shadow, whatever single ones say
 */
record ConfiguredSettings(
        OperationSettings all,
        Map<String, OperationProperties> byOperation,
        Set<String> names,
        LegacySettings legacy,
        boolean shadow) {

    static ConfiguredSettings in(Environment environment) {
        Binder binder = Binder.get(environment);
        OperationSettings all = binder.bind("onefold.defaults", OperationProperties.class)
                .map(OperationProperties::settings)
                .orElse(OperationSettings.NONE);
        boolean shadow =
                binder.bind("onefold.mode", Enforcement.class).orElse(Enforcement.ENFORCE) == Enforcement.SHADOW;
        Map<String, OperationProperties> byOperation = binder.bind(
                        "onefold.operations", Bindable.mapOf(String.class, OperationProperties.class))
                .orElse(Map.of());
        Map<String, Object> said = binder.bind("onefold.operations", Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of());
        LegacySettings legacy = binder.bind("idempotent", LegacyProperties.class)
                .map(LegacyProperties::settings)
                .orElse(LegacySettings.DEFAULT);
        return new ConfiguredSettings(
                shadow ? all.shadow(true) : all, Map.copyOf(byOperation), Set.copyOf(said.keySet()), legacy, shadow);
    }

    private Map<String, OperationSettings> settings() {
        Map<String, OperationSettings> settings = new HashMap<>();
        byOperation.forEach((name, properties) ->
                settings.put(name, shadow ? properties.settings().shadow(true) : properties.settings()));
        return settings;
    }

    OperationSettingsRegistry policies() {
        return new OperationSettingsRegistry(all, settings(), legacy);
    }
}
