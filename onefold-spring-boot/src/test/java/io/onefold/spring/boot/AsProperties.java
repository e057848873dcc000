package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.ReplayHeader;
import io.onefold.http.Route;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.store.MemoryStore;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * What a case asks of the contract, said as {@code onefold.*}, so that the starter makes it. What configuration has no words for is
 * left to {@link HttpContractCustomizer}; where that cannot say it either, to a contract of the application's own.
 */
final class AsProperties {
    /** Fields of a policy that are said for all operations. */
    private static final Map<String, String> OF_ALL = Map.of(
            "required", "onefold.http.required",
            "keep", "onefold.defaults.keep",
            "wait", "onefold.defaults.wait-for",
            "lease", "onefold.defaults.lease",
            "maxRun", "onefold.defaults.max-run",
            "safeToRepeat", "onefold.defaults.safe-to-repeat",
            "waitersShareFailure", "onefold.defaults.waiters-share-failure",
            "hashKeys", "onefold.defaults.hash-keys");

    /** Fields of a policy that are said for a route. */
    private static final Map<String, String> OF_ROUTE = Map.ofEntries(
            Map.entry("required", "required"),
            Map.entry("sources", "key"),
            Map.entry("on5xx", "on-5xx"),
            Map.entry("neverStored", "never-store"),
            Map.entry("onlySuccess", "store-only-success"),
            Map.entry("storesBody", "store-body"),
            Map.entry("storedHeaders", "store-headers"),
            Map.entry("comparedHeaders", "compare-headers"),
            Map.entry("ignoredQuery", "ignore-query"),
            Map.entry("anySlash", "ignore-trailing-slash"),
            Map.entry("anyCase", "ignore-case"),
            Map.entry("contentWindow", "content-window"),
            Map.entry("openOnStoreFailure", "open-on-store-failure"));

    private final Map<String, Object> said = new LinkedHashMap<>();

    private AsProperties() {}

    /** The contract that a case asks for, in an application that is about to start. */
    static void register(GenericApplicationContext context, AdapterSetup setting) {
        AsProperties properties = new AsProperties();
        if (setting.tokens() == null && properties.say(setting)) {
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("case", properties.said));
            context.registerBean(HttpContractCustomizer.class, () -> setting::choose);
        } else {
            context.registerBean(HttpContract.class, () -> setting.contract(context.getBean(Onefold.class)));
        }
    }

    /** What a case asks of all operations, as far as properties say it; the rest is left to whoever makes the contract. */
    static void sayDefaults(AdapterSetup setting, Map<String, Object> said) {
        AsProperties properties = new AsProperties();
        properties.sayOfAll(setting);
        said.putAll(properties.said);
    }

    /** Whether a key is the same key for each operation. */
    static boolean isOneForAll(AdapterSetup setting) {
        return value(setting.choose(HttpContract.builder(Onefold.on(new MemoryStore()))), "profile")
                == HttpProfile.STRIPE;
    }

    /** Whether it could be said. */
    private boolean say(AdapterSetup setting) {
        Map<String, Object> ofAll = sayOfAll(setting);
        List<Route> routes = new ArrayList<>(setting.routes());
        if (routes.stream().allMatch(Route::passes)) {
            if (ofAll.isEmpty()) {
                said.put("onefold.http.cover", "all");
            } else {
                routes.add(new Route(Set.of("POST", "PATCH"), "/**", null, false, HttpPolicy.unchanged()));
            }
        }
        for (int i = 0; i < routes.size(); i++) {
            Map<String, Object> ofRoute = new LinkedHashMap<>(ofAll);
            ofRoute.putAll(chosen(routes.get(i).policy()));
            if (!say("onefold.http.routes[" + i + "].", routes.get(i), ofRoute)) {
                return false;
            }
        }
        return !routes.isEmpty() || ofAll.isEmpty();
    }

    /** What is left to be said, of a policy for all. */
    private Map<String, Object> sayOfAll(AdapterSetup setting) {
        HttpContract.Builder choices = setting.choose(HttpContract.builder(Onefold.on(new MemoryStore())));
        said.put("onefold.http.profile", String.valueOf(value(choices, "profile")));
        Object marker = value(choices, "marker");
        said.put("onefold.http.replay-marker", ((ReplayHeader) Objects.requireNonNull(marker)).name());
        said.put("onefold.http.overloaded-status", value(choices, "overloadedStatus"));
        Map<String, Object> ofAll = chosen(setting.policy());
        Object rejection = ofAll.remove("rejection");
        if (rejection != null) {
            said.put("onefold.defaults.duplicates", rejection.equals("") ? "replay" : "reject");
            said.put("onefold.defaults.message", rejection);
        }
        OF_ALL.forEach((field, name) -> {
            Object value = ofAll.remove(field);
            if (value != null) {
                said.put(name, value);
            }
        });
        return ofAll;
    }

    private boolean say(String prefix, Route route, Map<String, Object> policy) {
        said.put(prefix + "path", route.pattern());
        if (route.passes()) {
            said.put(prefix + "pass", true);
            said.put(prefix + "methods", String.join(",", route.methods()));
            return true;
        }
        said.put(prefix + "methods", String.join(",", route.methods()));
        if (route.operation() != null) {
            said.put(prefix + "operation", route.operation());
        }
        policy.forEach((field, value) -> {
            String name = OF_ROUTE.get(field);
            if (name != null && value instanceof Collection<?> many) {
                int i = 0;
                for (Object one : many) {
                    said.put(prefix + name + "[" + i++ + "]", one.toString());
                }
            } else if (name != null) {
                said.put(prefix + name, value.toString());
            }
        });
        return OF_ROUTE.keySet().containsAll(policy.keySet());
    }

    /** Nothing else needs to know what a policy says, so that it does not tell. */
    static Map<String, Object> chosen(HttpPolicy policy) {
        Map<String, Object> chosen = new LinkedHashMap<>();
        for (Field field : HttpPolicy.class.getDeclaredFields()) {
            Object value = Modifier.isStatic(field.getModifiers()) ? null : value(policy, field.getName());
            if (value != null) {
                chosen.put(field.getName(), value);
            }
        }
        return chosen;
    }

    private static @Nullable Object value(Object of, String name) {
        try {
            Field field = of.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
