package io.onefold.server.config;

import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.http.BodyRules;
import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.KeySource;
import io.onefold.http.KeySyntax;
import io.onefold.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads how requests are protected. Some settings of a policy consist of several values: a route that sets one of them
 * takes the others from the defaults, and the defaults take theirs from the profile.
 */
final class PolicyReader {
    /** The settings that may contradict each other; an error names the first one that a section has. */
    private static final List<String> RELATED = List.of("retries", "keep", "lease", "max-run", "wait", "duplicates");

    private final ConfigSection section;
    private final HttpProfile profile;
    private final @Nullable Duration tokenLife;
    private KeySyntax syntax;
    private int minLength = 1;
    private int maxLength = Key.MAX_LENGTH;
    private @Nullable Pattern pattern;
    private BodyRules body = BodyRules.standard();
    private Duration lease = Operation.LEASE;
    private Duration maxRun = Operation.MAX_RUN;
    private String rejection;
    private Duration keep;
    private boolean tokens;
    private @Nullable String keepSaid;
    private @Nullable String tokensSaid;
    private HttpPolicy policy = HttpPolicy.unchanged();

    private PolicyReader(ConfigSection section, HttpProfile profile, @Nullable Duration tokenLife) {
        this.section = section;
        this.profile = profile;
        this.tokenLife = tokenLife;
        this.syntax = profile.syntax();
        this.rejection = profile.rejection();
        this.keep = profile.keep();
    }

    /**
     * Reads the defaults of all routes.
     *
     * @param tokenLife null if no tokens are issued
     */
    static PolicyReader defaults(ConfigSection section, HttpProfile profile, @Nullable Duration tokenLife) {
        return new PolicyReader(section, profile, tokenLife);
    }

    /** Returns a reader for a route, once the defaults are read. */
    PolicyReader route(ConfigSection of) {
        PolicyReader route = new PolicyReader(of, profile, tokenLife);
        route.keep = keep;
        route.tokens = tokens;
        route.keepSaid = keepSaid;
        route.tokensSaid = tokensSaid;
        route.syntax = syntax;
        route.minLength = minLength;
        route.maxLength = maxLength;
        route.pattern = pattern;
        route.body = body;
        route.lease = lease;
        route.maxRun = maxRun;
        route.rejection = rejection;
        return route;
    }

    /** Makes a route of a single value with its pattern and name. */
    Route named(String name, ConfigSection of, Supplier<Route> route) {
        return of.checked(name, () -> {
            Route named = route.get();
            named.check(profile, HttpPolicy.unchanged());
            return named;
        });
    }

    /** Rejects a route whose values contradict each other or the defaults that fill the gaps. */
    Route checked(Route route, ConfigSection of) {
        String culprit = RELATED.stream().filter(of::has).findFirst().orElse("match");
        return of.checked(culprit, () -> {
            route.check(profile, policy);
            return route;
        });
    }

    /** Checks the route for all other requests, once the defaults are read. */
    Route checked(Route rest) {
        checkTokens();
        return checked(rest, section);
    }

    /** Rejects the last of these routes, which this value sets, if it contradicts an earlier one. */
    void together(List<Route> routes, ConfigSection last, String name) {
        last.checked(name, () -> {
            Route.check(profile, policy, routes);
            return routes;
        });
    }

    /** Rejects tokens that no client can get, and tokens that could run twice. */
    private void checkTokens() {
        if (!tokens) {
            return;
        }
        if (tokenLife == null) {
            throw new ConfigException(
                    tokensSaid + ": tokens: the key must be a token, but none are issued: add issue-tokens: true");
        }
        if (keep.compareTo(tokenLife) < 0) {
            throw new ConfigException((keepSaid == null ? tokensSaid : keepSaid) + ": keep: " + keep
                    + " is shorter than token-life " + tokenLife + ": a token could run twice");
        }
    }

    /** Reads the policy of a route; its settings for tokens must be possible. */
    HttpPolicy readRoute() {
        HttpPolicy read = read();
        checkTokens();
        return read;
    }

    HttpPolicy read() {
        keys();
        syntax();
        body();
        times();
        answers();
        rest();
        return policy;
    }

    private void keys() {
        set("required", section.flag("required"), HttpPolicy::required);
        set(
                "key.sources",
                section.list("key.sources", KeySource::parse),
                (to, sources) -> to.key(sources.toArray(KeySource[]::new)));
        set("hash-keys", section.flag("hash-keys"), HttpPolicy::hashKeys);
        Boolean tokened = section.flag("tokens");
        if (tokened != null) {
            tokens = tokened;
            tokensSaid = section.where("tokens");
        }
        set("tokens", tokened, HttpPolicy::tokens);
        set("content-dedup", section.duration("content-dedup"), HttpPolicy::contentKey);
        if (section.has("content-dedup") && Boolean.TRUE.equals(section.flag("required"))) {
            throw new ConfigException(
                    section.where("required")
                            + ": required: true refuses requests without a key, but content-dedup gives them one: choose either");
        }
        set("forward", section.choice("forward", HttpPolicy.KeyForwarding.class), HttpPolicy::forward);
    }

    private void syntax() {
        SyntaxOption kind = section.choice("key.syntax", SyntaxOption.class);
        Integer min = section.number("key.min-length");
        Integer max = section.number("key.max-length");
        Pattern whole = section.value("key.pattern", Pattern::compile);
        if (kind == null && min == null && max == null && whole == null) {
            return;
        }
        syntax = kind == null ? syntax : kind.syntax();
        minLength = min == null ? minLength : min;
        maxLength = max == null ? maxLength : max;
        pattern = whole == null ? pattern : whole;
        KeySyntax sized = section.checked(
                max == null ? "key.min-length" : "key.max-length", () -> syntax.length(minLength, maxLength));
        policy = policy.syntax(pattern == null ? sized : sized.pattern(pattern));
    }

    private void body() {
        BodyRules before = body;
        List<String> only = section.list("fingerprint.only", path -> path);
        List<String> ignored = section.list("fingerprint.ignore", path -> path);
        // a list replaces that of the defaults, so that the old one contradicts nothing any more
        body = only == null ? body : body.only();
        body = ignored == null ? body : body.ignoring();
        rule("body.max", section.bytes("body.max"), BodyRules::max);
        rule("body.memory", section.bytes("body.memory"), (to, bytes) -> to.memory(atMost(bytes, 1L << 30)));
        rule(
                "body.multipart",
                section.choice("body.multipart", BodyRules.MultipartHandling.class),
                BodyRules::multipart);
        rule(
                "fingerprint.body",
                section.choice("fingerprint.body", BodyRules.BodyComparison.class),
                BodyRules::compare);
        rule("fingerprint.encoded", section.flag("fingerprint.encoded"), BodyRules::wireBytes);
        rule("fingerprint.only", only, (to, paths) -> to.only(strings(paths)));
        rule("fingerprint.ignore", ignored, (to, paths) -> to.ignoring(strings(paths)));
        if (body != before) {
            policy = policy.body(body);
        }
    }

    private <T> void rule(String name, @Nullable T value, BiFunction<BodyRules, T, BodyRules> setter) {
        if (value != null) {
            body = section.checked(name, () -> setter.apply(body, value));
        }
    }

    private void times() {
        Duration kept = section.duration("keep");
        if (kept != null) {
            keep = kept;
            keepSaid = section.where("keep");
        }
        set("keep", kept, HttpPolicy::keepFor);
        set("tell-keep", section.flag("tell-keep"), HttpPolicy::tellKeep);
        set("retries", section.duration("retries"), HttpPolicy::retriesFor);
        set("wait", section.duration("wait"), HttpPolicy::waitFor);
        Duration silent = section.duration("lease");
        Duration most = section.duration("max-run");
        if (silent != null || most != null) {
            lease = silent == null ? lease : silent;
            maxRun = most == null ? maxRun : most;
            set(silent == null ? "max-run" : "lease", lease, (to, it) -> to.lease(it, maxRun));
        }
    }

    private void answers() {
        duplicates();
        set("on-5xx", section.choice("on-5xx", HttpPolicy.On5xx.class), HttpPolicy::on5xx);
        set(
                "never-store",
                section.list("never-store", PolicyReader::status),
                (to, statuses) -> to.neverStore(
                        statuses.stream().mapToInt(Integer::intValue).toArray()));
        set("store-only-success", section.flag("store-only-success"), HttpPolicy::storeOnlySuccess);
        set(
                "store-headers",
                section.list("store-headers", name -> name),
                (to, names) -> to.storeHeaders(strings(names)));
        set("store-body", section.flag("store-body"), HttpPolicy::storeBody);
        set("in-progress", section.number("in-progress"), HttpPolicy::busyStatus);
        set("in-progress.message", section.text("in-progress.message"), HttpPolicy::busyMessage);
        set("unknown", section.number("unknown"), HttpPolicy::unknownStatus);
        set("response.max", section.bytes("response.max"), (to, bytes) -> to.maxAnswerBytes(atMost(bytes, 64L << 20)));
        set("streaming", section.choice("streaming", HttpPolicy.StreamHandling.class), HttpPolicy::streaming);
    }

    private void duplicates() {
        DuplicatesOption duplicates = section.choice("duplicates", DuplicatesOption.class);
        String message = section.text("duplicates.message");
        rejection = message == null ? rejection : message;
        if (duplicates == DuplicatesOption.REPLAY && message != null) {
            throw new ConfigException(section.where("duplicates.message")
                    + ": duplicates.message is for duplicates: reject, but here they are duplicates: replay");
        }
        if (duplicates == DuplicatesOption.REPLAY) {
            policy = policy.replayDuplicates();
        } else if (duplicates == DuplicatesOption.REJECT || message != null) {
            set("duplicates", rejection, HttpPolicy::rejectDuplicates);
        }
    }

    private void rest() {
        set("ignore-trailing-slash", section.flag("ignore-trailing-slash"), HttpPolicy::ignoreTrailingSlash);
        set("ignore-case", section.flag("ignore-case"), HttpPolicy::ignoreCase);
        StoreFailureOption failure = section.choice("on-store-failure", StoreFailureOption.class);
        set("on-store-failure", failure, (to, it) -> to.openOnStoreFailure(it == StoreFailureOption.OPEN));
        set(
                "fingerprint.headers",
                section.list("fingerprint.headers", name -> name),
                (to, names) -> to.compareHeaders(strings(names)));
        set(
                "fingerprint.ignore-query",
                section.list("fingerprint.ignore-query", name -> name),
                (to, names) -> to.ignoreQuery(strings(names)));
        set("safe-to-repeat", section.flag("safe-to-repeat"), HttpPolicy::safeToRepeat);
        set("waiters-share-failure", section.flag("waiters-share-failure"), HttpPolicy::waitersShareFailure);
    }

    private <T> void set(String name, @Nullable T value, BiFunction<HttpPolicy, T, HttpPolicy> setter) {
        if (value != null) {
            policy = section.checked(name, () -> setter.apply(policy, value));
        }
    }

    private static int atMost(long bytes, long most) {
        if (bytes > most) {
            throw new IllegalArgumentException(
                    bytes + " bytes are too many; allowed are up to " + (most >> 20) + "MiB");
        }
        return (int) bytes;
    }

    private static String[] strings(List<String> names) {
        return names.toArray(String[]::new);
    }

    private static Integer status(String text) {
        if (!text.matches("[1-5][0-9][0-9]")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a status between 100 and 599");
        }
        return Integer.valueOf(text);
    }

    private enum SyntaxOption {
        LENIENT,
        SF_STRICT,
        BARE,
        UUID;

        KeySyntax syntax() {
            return switch (this) {
                case LENIENT -> KeySyntax.lenient();
                case SF_STRICT -> KeySyntax.strict();
                case BARE -> KeySyntax.bare();
                case UUID -> KeySyntax.uuid();
            };
        }
    }

    private enum DuplicatesOption {
        REPLAY,
        REJECT
    }

    private enum StoreFailureOption {
        CLOSED,
        OPEN
    }
}
