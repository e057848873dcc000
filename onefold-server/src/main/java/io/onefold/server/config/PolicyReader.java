package io.onefold.server.config;

import io.onefold.Key;
import io.onefold.http.BodyRules;
import io.onefold.http.KeySource;
import io.onefold.http.KeySyntax;
import io.onefold.http.Policy;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads how requests are protected. */
final class PolicyReader {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MAX_RUN = Duration.ofMinutes(10);

    private final Section section;
    private KeySyntax syntax;
    private BodyRules body;
    private Policy policy = Policy.unchanged();

    private PolicyReader(Section section, KeySyntax syntax, BodyRules body) {
        this.section = section;
        this.syntax = syntax;
        this.body = body;
    }

    /** Of all routes that say nothing else. */
    static PolicyReader defaults(Section section) {
        return new PolicyReader(section, KeySyntax.lenient(), BodyRules.standard());
    }

    /** Of a route: what it says of keys and bodies changes what these say. */
    PolicyReader route(Section of) {
        return new PolicyReader(of, syntax, body);
    }

    Policy read() {
        keys();
        syntax();
        body();
        times();
        answers();
        rest();
        return policy;
    }

    private void keys() {
        set("required", section.flag("required"), Policy::required);
        set(
                "key.sources",
                section.list("key.sources", KeySource::parse),
                (to, sources) -> to.key(sources.toArray(KeySource[]::new)));
        set("hash-keys", section.flag("hash-keys"), Policy::hashKeys);
        set("tokens", section.flag("tokens"), Policy::tokens);
        set("content-dedup", section.duration("content-dedup"), Policy::contentKey);
        set("forward", section.choice("forward", Policy.Forward.class), Policy::forward);
    }

    private void syntax() {
        Syntax kind = section.choice("key.syntax", Syntax.class);
        Integer min = section.number("key.min-length");
        Integer max = section.number("key.max-length");
        Pattern pattern = section.value("key.pattern", Pattern::compile);
        if (kind == null && min == null && max == null && pattern == null) {
            return;
        }
        syntax = kind == null ? syntax : kind.syntax.get();
        if (min != null || max != null) {
            String name = max == null ? "key.min-length" : "key.max-length";
            syntax = section.checked(
                    name, () -> syntax.length(min == null ? 1 : min, max == null ? Key.MAX_LENGTH : max));
        }
        syntax = pattern == null ? syntax : syntax.pattern(pattern);
        policy = policy.syntax(syntax);
    }

    private void body() {
        BodyRules before = body;
        rule("body.max", section.bytes("body.max"), BodyRules::max);
        rule("body.memory", section.bytes("body.memory"), (to, bytes) -> to.memory(Math.toIntExact(bytes)));
        rule("body.multipart", section.choice("body.multipart", BodyRules.Multipart.class), BodyRules::multipart);
        rule("fingerprint.body", section.choice("fingerprint.body", BodyRules.Compare.class), BodyRules::compare);
        rule("fingerprint.encoded", section.flag("fingerprint.encoded"), BodyRules::wireBytes);
        List<String> only = section.list("fingerprint.only", path -> path);
        List<String> ignored = section.list("fingerprint.ignore", path -> path);
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
        set("keep", section.duration("keep"), Policy::keepFor);
        set("wait", section.duration("wait"), Policy::waitFor);
        Duration lease = section.duration("lease");
        Duration maxRun = section.duration("max-run");
        if (lease != null || maxRun != null) {
            set("lease", lease == null ? LEASE : lease, (to, it) -> to.lease(it, maxRun == null ? MAX_RUN : maxRun));
        }
    }

    private void answers() {
        String rejection = section.text("duplicates.message");
        Duplicates duplicates = section.choice("duplicates", Duplicates.class);
        if (duplicates == Duplicates.REJECT || rejection != null) {
            String message = rejection == null ? "The request was handled before." : rejection;
            set("duplicates", message, Policy::rejectDuplicates);
        }
        set("on-5xx", section.choice("on-5xx", Policy.On5xx.class), Policy::on5xx);
        set(
                "never-store",
                section.list("never-store", PolicyReader::status),
                (to, statuses) -> to.neverStore(
                        statuses.stream().mapToInt(Integer::intValue).toArray()));
        set("store-only-success", section.flag("store-only-success"), Policy::storeOnlySuccess);
        set(
                "store-headers",
                section.list("store-headers", name -> name),
                (to, names) -> to.storeHeaders(strings(names)));
        set("store-body", section.flag("store-body"), Policy::storeBody);
        set("in-progress", section.number("in-progress"), Policy::busyStatus);
        set("unknown", section.number("unknown"), Policy::unknownStatus);
        set("response.max", section.bytes("response.max"), (to, bytes) -> to.maxAnswerBytes(Math.toIntExact(bytes)));
        set("streaming", section.choice("streaming", Policy.Streaming.class), Policy::streaming);
    }

    private void rest() {
        OnStoreFailure failure = section.choice("on-store-failure", OnStoreFailure.class);
        set("on-store-failure", failure, (to, it) -> to.openOnStoreFailure(it == OnStoreFailure.OPEN));
        set(
                "fingerprint.headers",
                section.list("fingerprint.headers", name -> name),
                (to, names) -> to.compareHeaders(strings(names)));
        set("safe-to-repeat", section.flag("safe-to-repeat"), Policy::safeToRepeat);
    }

    private <T> void set(String name, @Nullable T value, BiFunction<Policy, T, Policy> setter) {
        if (value != null) {
            policy = section.checked(name, () -> setter.apply(policy, value));
        }
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

    private enum Syntax {
        LENIENT(KeySyntax::lenient),
        SF_STRICT(KeySyntax::strict),
        BARE(KeySyntax::bare),
        UUID(KeySyntax::uuid);

        private final Supplier<KeySyntax> syntax;

        Syntax(Supplier<KeySyntax> syntax) {
            this.syntax = syntax;
        }
    }

    private enum Duplicates {
        REPLAY,
        REJECT
    }

    private enum OnStoreFailure {
        CLOSED,
        OPEN
    }
}
