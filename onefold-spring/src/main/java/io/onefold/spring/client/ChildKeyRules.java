package io.onefold.spring.client;

import io.onefold.Attempt;
import io.onefold.spring.KeyHeader;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the calls to other services that get a key, and their keys. A key is derived from the current attempt, so that the other service
 * recognises the same call in a later attempt, and from the call:
 *
 * <ul>
 *   <li>the name that the request has in its attribute {@link #NAME}: the key is {@link Attempt#childKey} of it; or
 *   <li>method, host and path, and the number of earlier calls of this attempt to the same three.
 * </ul>
 *
 * Counting assumes that every attempt makes its calls to one address in the same order, and makes each once. Name the calls that run in
 * parallel, are sometimes left out, or are retried inside of the attempt.
 */
public final class ChildKeyRules {
    /** The attribute of a request that names its call; equal names of one attempt are one call. */
    public static final String NAME = "io.onefold.call";

    private static final Set<String> MUTATING = Set.of("POST", "PUT", "PATCH", "DELETE");

    private final String header;
    private final Set<String> methods;
    private final boolean counted;

    private ChildKeyRules(String header, Set<String> methods, boolean counted) {
        this.header = header;
        this.methods = methods;
        this.counted = counted;
    }

    /** Keys in {@code Idempotency-Key}, for POST and PATCH, which HTTP does not define as idempotent. */
    public static ChildKeyRules standard() {
        return new ChildKeyRules(KeyHeader.DEFAULT.name(), Set.of("POST", "PATCH"), true);
    }

    /** Keys in another header. */
    public ChildKeyRules header(String header) {
        if (header.isBlank()) {
            throw new IllegalArgumentException("a header needs a name, not \"" + header + "\"");
        }
        return new ChildKeyRules(header, methods, counted);
    }

    /** Keys for these methods of HTTP. */
    public ChildKeyRules methods(String... methods) {
        Set<String> chosen = new TreeSet<>();
        for (String method : methods) {
            String upper = method.toUpperCase(Locale.ROOT);
            if (!MUTATING.contains(upper)) {
                throw new IllegalArgumentException(
                        "no key can be added to " + method + "; allowed are " + new TreeSet<>(MUTATING));
            }
            chosen.add(upper);
        }
        return new ChildKeyRules(header, Set.copyOf(chosen), counted);
    }

    /** Keys only for calls that have a name: nothing is counted. */
    public ChildKeyRules namedOnly() {
        return new ChildKeyRules(header, methods, false);
    }

    String header() {
        return header;
    }

    /**
     * Returns null if the call gets no key.
     *
     * @param named the value of the request's attribute {@link #NAME}
     */
    @Nullable
    String of(@Nullable Attempt attempt, String method, @Nullable URI target, @Nullable Object named) {
        if (attempt == null || !methods.contains(method)) {
            return null;
        }
        if (named != null) {
            String name = named.toString();
            if (name.isBlank()) {
                throw new IllegalArgumentException("the attribute " + NAME + " is blank; it must name the call");
            }
            return attempt.childKey(name);
        }
        return counted ? attempt.nextChildKey(method + " " + place(target)) : null;
    }

    /** Returns host and path, without the port, which may differ for each instance of a service. */
    private static String place(@Nullable URI target) {
        if (target == null) {
            return "";
        }
        String host = target.getHost();
        if (host == null) {
            // an invalid host name, for example with an underscore, is not parsed
            host = Objects.requireNonNullElse(target.getRawAuthority(), "")
                    .replaceFirst("^.*@", "")
                    .replaceFirst(":[0-9]*$", "");
        }
        return host.toLowerCase(Locale.ROOT) + Objects.requireNonNullElse(target.getRawPath(), "");
    }
}
