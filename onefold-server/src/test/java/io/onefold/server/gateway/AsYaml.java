package io.onefold.server.gateway;

import io.onefold.Onefold;
import io.onefold.http.BodyRules;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.ReplayHeader;
import io.onefold.http.Route;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.store.MemoryStore;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

/** What a case asks of the contract, written as a file for the gateway, so that the gateway reads it from there. */
final class AsYaml {
    /** The choices of a policy that are one value each, and their names. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("required", "required"),
            Map.entry("sources", "key.sources"),
            Map.entry("keep", "keep"),
            Map.entry("retries", "retries"),
            Map.entry("tellKeep", "tell-keep"),
            Map.entry("wait", "wait"),
            Map.entry("lease", "lease"),
            Map.entry("maxRun", "max-run"),
            Map.entry("on5xx", "on-5xx"),
            Map.entry("neverStored", "never-store"),
            Map.entry("onlySuccess", "store-only-success"),
            Map.entry("busyStatus", "in-progress"),
            Map.entry("busyMessage", "in-progress.message"),
            Map.entry("unknownStatus", "unknown"),
            Map.entry("storedHeaders", "store-headers"),
            Map.entry("comparedHeaders", "fingerprint.headers"),
            Map.entry("ignoredQuery", "fingerprint.ignore-query"),
            Map.entry("anySlash", "ignore-trailing-slash"),
            Map.entry("anyCase", "ignore-case"),
            Map.entry("streaming", "streaming"),
            Map.entry("storesBody", "store-body"),
            Map.entry("safeToRepeat", "safe-to-repeat"),
            Map.entry("waitersShareFailure", "waiters-share-failure"),
            Map.entry("hashKeys", "hash-keys"),
            Map.entry("tokens", "tokens"),
            Map.entry("contentWindow", "content-dedup"),
            Map.entry("forward", "forward"));

    /** Methods of which a file cannot say that they are protected. */
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT");

    private AsYaml() {}

    /** Empty if a file has no words for it. */
    static Optional<String> of(AdapterSetup setting) {
        if (setting.routes().stream().anyMatch(route -> route.methods().stream().anyMatch(SAFE::contains))) {
            return Optional.empty();
        }
        Map<String, Object> said = new LinkedHashMap<>();
        HttpContract.Builder choices = setting.choose(HttpContract.builder(Onefold.on(new MemoryStore())));
        said.put("profile", spelled(value(choices, "profile")));
        said.put("strict", value(choices, "strict"));
        said.put("status-queries", value(choices, "statusQueries"));
        if (value(choices, "marker") instanceof ReplayHeader marker) {
            said.put("replay-marker", marker.name());
        }
        said.put("overloaded", value(choices, "overloadedStatus"));
        if (value(choices, "origins") instanceof Set<?> origins && !origins.isEmpty()) {
            said.put("cors.origins", spelled(origins));
            said.put("cors.credentials", value(choices, "credentials"));
        }
        if (setting.tokens() != null) {
            said.put("issue-tokens", true);
            said.put("token-life", spelled(setting.tokens().life()));
        }
        said.put("defaults", policy(setting.policy()));
        List<Map<String, Object>> routes = new ArrayList<>();
        setting.routes().forEach(route -> routes.add(route(route)));
        said.put("routes", routes);
        if (!setting.routes().stream().allMatch(Route::passes)) {
            said.put("otherwise", "pass");
        }
        return Optional.of(new Yaml().dump(said));
    }

    private static Map<String, Object> route(Route route) {
        Map<String, Object> said = new LinkedHashMap<>();
        if (route.passes()) {
            said.put("pass", route.pattern());
            return said;
        }
        said.put("match", String.join(",", new TreeSet<>(route.methods())) + " " + route.pattern());
        if (route.operation() != null) {
            said.put("operation", route.operation());
        }
        said.putAll(policy(route.policy()));
        return said;
    }

    /** Nothing else needs to know what a policy says, so that it does not tell. */
    private static Map<String, Object> policy(HttpPolicy policy) {
        Map<String, Object> said = new LinkedHashMap<>();
        for (Field field : HttpPolicy.class.getDeclaredFields()) {
            Object value = Modifier.isStatic(field.getModifiers()) ? null : value(policy, field.getName());
            if (value != null) {
                say(field.getName(), value, said);
            }
        }
        return said;
    }

    private static void say(String field, Object value, Map<String, Object> said) {
        switch (field) {
            case "syntax" -> syntax(value, said);
            case "body" -> body((BodyRules) value, said);
            case "maxHeld" -> said.put("response.max", value + "B");
            case "openOnStoreFailure" -> said.put("on-store-failure", value.equals(true) ? "open" : "closed");
            case "rejection" -> {
                said.put("duplicates", value.equals("") ? "replay" : "reject");
                if (!value.equals("")) {
                    said.put("duplicates.message", value);
                }
            }
            default -> {
                String name = NAMES.get(field);
                if (name == null) {
                    throw new IllegalStateException("a case chooses " + field + ", which has no name in the file");
                }
                said.put(name, spelled(value));
            }
        }
    }

    private static void syntax(Object syntax, Map<String, Object> said) {
        String form = String.valueOf(value(syntax, "form"));
        said.put("key.syntax", form.equals("STRICT") ? "sf-strict" : form.toLowerCase(Locale.ROOT));
        said.put("key.min-length", value(syntax, "min"));
        said.put("key.max-length", value(syntax, "max"));
        Object pattern = value(syntax, "pattern");
        if (pattern != null) {
            said.put("key.pattern", pattern.toString());
        }
    }

    private static void body(BodyRules rules, Map<String, Object> said) {
        said.put("body.max", value(rules, "max") + "B");
        said.put("body.memory", value(rules, "memory") + "B");
        said.put("body.multipart", spelled(value(rules, "multipart")));
        said.put("fingerprint.body", spelled(value(rules, "compare")));
        said.put("fingerprint.encoded", value(rules, "wireBytes"));
        if (value(rules, "only") instanceof List<?> only && !only.isEmpty()) {
            said.put("fingerprint.only", only);
        }
        if (value(rules, "ignoring") instanceof List<?> ignored && !ignored.isEmpty()) {
            said.put("fingerprint.ignore", ignored);
        }
    }

    private static Object spelled(@Nullable Object value) {
        if (value instanceof Duration time) {
            return time.toMillis() + "ms";
        } else if (value instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        } else if (value instanceof Collection<?> many) {
            return many.stream().map(Object::toString).toList();
        }
        return value instanceof Boolean || value instanceof Integer ? value : String.valueOf(value);
    }

    static @Nullable Object value(Object of, String name) {
        try {
            Field field = of.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
