package io.onefold.server.config;

import io.onefold.http.KeySource;
import io.onefold.http.Policy;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads how requests are protected. */
final class PolicyReader {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MAX_RUN = Duration.ofMinutes(10);

    private final Section section;
    private Policy policy = Policy.unchanged();

    private PolicyReader(Section section) {
        this.section = section;
    }

    static Policy read(Section section) {
        PolicyReader reader = new PolicyReader(section);
        reader.keys();
        reader.times();
        reader.answers();
        reader.rest();
        return reader.policy;
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
        set("never-store", section.list("never-store", PolicyReader::status), (to, statuses) -> to.neverStore(
                statuses.stream().mapToInt(Integer::intValue).toArray()));
        set("store-only-success", section.flag("store-only-success"), Policy::storeOnlySuccess);
        set("store-headers", section.list("store-headers", name -> name), (to, names) -> to.storeHeaders(strings(names)));
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

    private enum Duplicates {
        REPLAY,
        REJECT
    }

    private enum OnStoreFailure {
        CLOSED,
        OPEN
    }
}
