package io.onefold.spring;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * The content of an annotation, with its placeholders resolved. An empty text counts as not given.
 *
 * @param places the places that may hold the key; empty for the usual place of such methods
 * @param below the settings that apply if neither the annotation nor the configuration of the operation says anything
 * @param legacy true for the legacy annotation, which knows no fingerprints
 */
record IdempotentMetadata(
        String operation,
        List<DeclaredKeyLocation> places,
        @Nullable Duration window,
        boolean token,
        boolean required,
        String scope,
        String matching,
        String bizId,
        TransactionMode mode,
        OperationSettings settings,
        Supplier<OperationSettings> below,
        boolean legacy,
        List<Class<? extends Throwable>> retryOn,
        List<Class<? extends Throwable>> failOn) {

    /** A place that may hold a key. */
    record DeclaredKeyLocation(Kind kind, String text) {
        enum Kind {
            EXPRESSION,
            HEADER,
            PARAMETER,
            CONTENT
        }
    }

    /** Returns null if the method has no annotation of Onefold. */
    static @Nullable IdempotentMetadata of(
            Method method, UnaryOperator<String> placeholders, Supplier<LegacySettings> legacy) {
        MergedAnnotations all = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotation<Idempotent> own = all.get(Idempotent.class);
        MergedAnnotation<io.onefold.spring.legacy.Idempotent> old = all.get(io.onefold.spring.legacy.Idempotent.class);
        if (own.isPresent() && old.isPresent()) {
            throw new IllegalArgumentException(name(method) + " has both annotations named Idempotent; one is allowed");
        }
        if (old.isPresent()) {
            InvocationSource door = InvocationSource.of(method, method.getDeclaringClass());
            return LegacySettings.declared(old.synthesize(), placeholders, legacy, door == InvocationSource.SCHEDULED);
        }
        return own.isPresent() ? of(name(method), own.synthesize(), placeholders) : null;
    }

    static boolean isOn(Method method) {
        MergedAnnotations all = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return all.isPresent(Idempotent.class) || all.isPresent(io.onefold.spring.legacy.Idempotent.class);
    }

    private static IdempotentMetadata of(String method, Idempotent said, UnaryOperator<String> placeholders) {
        List<DeclaredKeyLocation> places = new ArrayList<>();
        add(places, DeclaredKeyLocation.Kind.EXPRESSION, placeholders.apply(said.key()));
        add(places, DeclaredKeyLocation.Kind.HEADER, placeholders.apply(said.header()));
        add(places, DeclaredKeyLocation.Kind.PARAMETER, placeholders.apply(said.parameter()));
        add(places, DeclaredKeyLocation.Kind.CONTENT, placeholders.apply(said.content()));
        if (places.size() > 1) {
            throw new IllegalArgumentException(method + " takes its key from " + places.get(0) + " and from "
                    + places.get(1) + "; one of key, header, parameter and content is allowed");
        }
        boolean content = places.size() == 1 && places.get(0).kind() == DeclaredKeyLocation.Kind.CONTENT;
        Duration window = duration(method, "window", placeholders.apply(said.window()));
        if (content != (window != null)) {
            throw new IllegalArgumentException(method
                    + (content
                            ? " takes its key from content, but does not say for how long equal content is one request: window"
                            : " has a window, but takes its key not from content"));
        }
        if (content && said.token()) {
            throw new IllegalArgumentException(method + " takes its key from content, but also wants a token");
        }
        OperationSettings settings = OperationSettings.NONE
                .keep(duration(method, "keep", placeholders.apply(said.keep())))
                .waitFor(duration(method, "waitFor", placeholders.apply(said.waitFor())))
                .lease(duration(method, "lease", placeholders.apply(said.lease())))
                .maxRun(duration(method, "maxRun", placeholders.apply(said.maxRun())))
                .maxAttempts(said.maxAttempts() == 0 ? null : said.maxAttempts())
                .duplicates(said.duplicates())
                .message(said.message().isEmpty() ? null : placeholders.apply(said.message()))
                .safeToRepeat(said.safeToRepeat() ? true : null)
                .repeatOnConflict(said.repeatOnConflict() ? true : null)
                .waitersShareFailure(said.waitersShareFailure() ? true : null)
                .overwrite(said.overwrite() ? true : null);
        if (settings.rejects()
                && settings.waitFor() != null
                && !settings.waitFor().isZero()) {
            throw new IllegalArgumentException(
                    method + " rejects duplicates, which leaves nothing to wait for, but waitFor is " + said.waitFor());
        }
        checkSharing(method, settings, said);
        return new IdempotentMetadata(
                placeholders.apply(said.operation()),
                List.copyOf(places),
                window,
                said.token(),
                said.required(),
                placeholders.apply(said.scope()),
                placeholders.apply(said.matching()),
                placeholders.apply(said.bizId()),
                said.mode(),
                settings,
                () -> OperationSettings.NONE,
                false,
                List.of(said.retryOn()),
                List.of(said.failOn()));
    }

    private static void checkSharing(String method, OperationSettings settings, Idempotent said) {
        if (!said.waitersShareFailure()) {
            return;
        }
        Duration waitFor = settings.waitFor();
        if (settings.rejects() || (waitFor != null && waitFor.isZero())) {
            throw new IllegalArgumentException(method
                    + " shares failures with waiters (waitersShareFailure), but no duplicate waits: "
                    + (settings.rejects() ? "duplicates is REJECT" : "waitFor is " + said.waitFor()));
        }
        if (said.overwrite()) {
            throw new IllegalArgumentException(
                    method + " shares failures with waiters (waitersShareFailure), but also overwrites:"
                            + " a waiter may have another payload than the call that failed, and must run");
        }
    }

    private static void add(List<DeclaredKeyLocation> places, DeclaredKeyLocation.Kind kind, String text) {
        if (!text.isEmpty()) {
            places.add(new DeclaredKeyLocation(kind, text));
        }
    }

    private static @Nullable Duration duration(String method, String attribute, String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return DurationFormatterUtils.detectAndParse(text);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    method + ": " + attribute + " \"" + text
                            + "\" is no duration, such as 90s, 10m, 24h, 7d or PT1H30M",
                    e);
        }
    }

    static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
