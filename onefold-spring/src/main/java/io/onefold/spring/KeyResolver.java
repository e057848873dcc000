package io.onefold.spring;

import io.onefold.Key;
import io.onefold.http.Caller;
import io.onefold.http.KeySyntax;
import io.onefold.http.Problem;
import io.onefold.http.ProblemException;
import io.onefold.http.ProtectedExchange;
import io.onefold.payload.Fingerprint;
import io.onefold.spring.IdempotentMetadata.DeclaredKeyLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the key of a call, its owner and its fingerprint. */
final class KeyResolver {
    private static final KeySyntax SYNTAX = KeySyntax.lenient();

    private final IdempotentMethod method;
    private final IdempotentContext wiring;
    private final List<KeyFinder> finders = new ArrayList<>();
    private final @Nullable KeyExpressions content;
    private final @Nullable KeyExpressions scope;
    private final @Nullable KeyExpressions matching;
    private final @Nullable KeyExpressions bizId;
    private final ArgumentPayload payloads;
    private final @Nullable ScheduledSlot slots;

    /** True if the key is in the HTTP request. If the filter holds the request, it has read the key already. */
    private final boolean readsRequest;

    KeyResolver(IdempotentMethod method, IdempotentContext wiring) {
        this.method = method;
        this.wiring = wiring;
        IdempotentMetadata declared = method.declared();
        KeyExpressions contentOf = null;
        for (DeclaredKeyLocation place : declared.places().isEmpty() ? usual() : declared.places()) {
            switch (place.kind()) {
                case EXPRESSION -> {
                    KeyExpressions expression = expression("key", place.text());
                    finders.add(call -> expression.text(call.arguments()));
                }
                case HEADER -> finders.add(call -> header(call, place.text()));
                case PARAMETER -> finders.add(call -> parameter(call, place.text()));
                case CONTENT -> contentOf = expression("content", place.text());
            }
        }
        if (finders.isEmpty() && contentOf == null) {
            ScheduledSlot planned =
                    ScheduledSlot.of(method.method(), wiring.placeholders(), wiring.clock(), System::nanoTime);
            finders.add(call -> planned.current());
            this.slots = planned;
        } else {
            this.slots = null;
        }
        this.content = contentOf;
        this.readsRequest = method.keyIsInRequest();
        this.scope = said("scope", declared.scope());
        this.matching = said("matching", declared.matching());
        this.bizId = said("bizId", declared.bizId());
        this.payloads = ArgumentPayload.of(method.method(), method.type(), method.door() == InvocationSource.CALL);
        if (content != null && scope == null && method.door() == InvocationSource.CALL) {
            throw new IllegalArgumentException(method
                    + " takes its key from content, but does not say whose it is: scope = \"#user.id\", say, or scope ="
                    + " \"'all'\" if equal content of two users is one request");
        }
    }

    /** The usual places of the keys of such methods. Empty for a scheduled job, whose key is its planned time. */
    private List<DeclaredKeyLocation> usual() {
        return switch (method.door()) {
            case HTTP, KAFKA, RABBIT ->
                List.of(new DeclaredKeyLocation(DeclaredKeyLocation.Kind.HEADER, wiring.header()));
            case SCHEDULED -> List.of();
            case CALL ->
                throw new IllegalArgumentException(
                        method + " does not say what its key is: key = \"#order.id\", say, or content with a window");
        };
    }

    private KeyExpressions expression(String attribute, String text) {
        return KeyExpressions.of(method + ": " + attribute, text, method.method());
    }

    private @Nullable KeyExpressions said(String attribute, String text) {
        return text.isEmpty() ? null : expression(attribute, text);
    }

    /**
     * Returns null if there is no key, and none is needed.
     *
     * @throws MissingKeyException if there is no key, but one is needed
     * @throws MalformedKeyException if the request brings a key that is not valid
     */
    @Nullable
    Key of(MethodCall call) {
        @Nullable Object[] arguments = call.arguments();
        if (content != null) {
            Fingerprint print = ArgumentPayload.print(wiring.printer(), method, "content", content.value(arguments));
            Duration window = Objects.requireNonNull(method.declared().window());
            return whole(call, scoped(call, Key.ofContent(HexFormat.of().formatHex(print.digest()), window)));
        }
        ProtectedExchange exchange =
                readsRequest && call.request() != null ? call.request().exchange() : null;
        String value = exchange == null ? null : exchange.sentKey(method.name());
        Key ofContent = exchange == null ? null : exchange.contentKey(method.name());
        if (ofContent != null) {
            return whole(call, ofContent);
        }
        for (KeyFinder finder : value == null ? finders : List.<KeyFinder>of()) {
            String found = finder.find(call);
            if (found != null && value != null && !found.equals(value)) {
                throw new MalformedKeyException(new ProblemException(
                        Problem.ProblemType.KEY_INVALID, "The request brings two keys, and they differ."));
            }
            value = found == null ? value : found;
        }
        if (value == null) {
            if (method.declared().required()) {
                throw new MissingKeyException(method + " was called without a key");
            }
            return null;
        }
        return whole(call, method.declared().token() ? caller(call).token(value) : scoped(call, key(call, value)));
    }

    /** The longest delay after which a job still brings the key of its planned time; null if the key is not a planned time. */
    @Nullable
    Duration latest() {
        return slots == null ? null : slots.latest();
    }

    /** @throws IllegalArgumentException if a changed payload could not be noticed */
    void comparable() {
        String stream = matching == null && content == null ? payloads.stream() : null;
        if (stream != null) {
            throw new IllegalArgumentException(method + " has the argument " + stream
                    + ", which can be read only once: say with matching what must be equal under an equal key");
        }
        if (matching == null) {
            payloads.check(method, comparesRequest());
        }
    }

    /** Returns true if the HTTP request with its body is compared, as the filter compares it, and not the arguments made from it. */
    boolean comparesRequest() {
        return method.door() == InvocationSource.HTTP && matching == null && content == null && payloads.hasBody();
    }

    private static Key key(MethodCall call, String value) {
        try {
            return Key.of(value);
        } catch (IllegalArgumentException e) {
            throw call.request() == null
                    ? e
                    : new MalformedKeyException(
                            new ProblemException(Problem.ProblemType.KEY_INVALID, String.valueOf(e.getMessage())));
        }
    }

    private Key scoped(MethodCall call, Key key) {
        if (scope != null) {
            String whose = scope.text(call.arguments());
            if (whose == null) {
                throw new MissingKeyException(scope + " is empty");
            }
            return key.in(whose);
        }
        if (call.request() != null || method.door() == InvocationSource.HTTP) {
            return caller(call).in(key);
        }
        MessageResolver.ListenerMessage message = message(call);
        List<String> parts = message == null ? List.of() : message.scope();
        return parts.isEmpty() ? key : key.in(parts.toArray(String[]::new));
    }

    private Key whole(MethodCall call, Key key) {
        Fingerprint print = print(call);
        String business = bizId == null ? null : bizId.text(call.arguments());
        Key printed = print == null ? key : key.matching(print);
        return business == null ? printed : printed.bizId(business);
    }

    /** Returns null if there is no fingerprint, and the annotation cannot name other content to compare. */
    private @Nullable Fingerprint print(MethodCall call) {
        try {
            return matching == null
                    ? printed(call)
                    : ArgumentPayload.print(wiring.printer(), method, "matching", matching.value(call.arguments()));
        } catch (IllegalArgumentException e) {
            if (method.declared().legacy()) {
                return null;
            }
            throw e;
        }
    }

    private Fingerprint printed(MethodCall call) {
        RequestResolver.HandlerRequest request = comparesRequest() ? call.request() : null;
        try {
            Fingerprint whole =
                    request == null ? null : request.fingerprint(payloads.besideRequest(method, call.arguments()));
            return whole == null ? payloads.print(wiring.printer(), method, call.arguments()) : whole;
        } catch (ProblemException e) {
            throw new MalformedKeyException(e);
        }
    }

    private Caller caller(MethodCall call) {
        if (call.request() == null) {
            throw new IllegalStateException(
                    method + " was called outside of a request: it is not known whose key it is; say so with scope");
        }
        Caller caller = call.request().caller();
        if (caller == null) {
            throw new MalformedKeyException(new ProblemException(
                    Problem.ProblemType.UNAUTHENTICATED, "A key means nothing without who it belongs to."));
        }
        return caller;
    }

    private @Nullable String header(MethodCall call, String name) {
        if (call.request() != null) {
            return spelled(only(call.request().headers(name), name));
        }
        MessageResolver.ListenerMessage message = message(call);
        return message == null ? null : only(message.headers(name), name);
    }

    private static @Nullable String spelled(@Nullable String line) {
        try {
            return line == null ? null : SYNTAX.parse(line);
        } catch (ProblemException e) {
            throw new MalformedKeyException(e);
        }
    }

    private static @Nullable String parameter(MethodCall call, String name) {
        return call.request() == null ? null : only(call.request().parameters(name), name);
    }

    private static @Nullable String only(List<String> values, String name) {
        if (values.size() > 1) {
            throw new MalformedKeyException(new ProblemException(
                    Problem.ProblemType.KEY_INVALID,
                    "There are " + values.size() + " of " + name + "; one is allowed."));
        }
        return values.isEmpty() || values.get(0).isBlank() ? null : values.get(0);
    }

    private MessageResolver.@Nullable ListenerMessage message(MethodCall call) {
        return method.door().listens() ? wiring.messages().current(method.door(), call.arguments()) : null;
    }

    private interface KeyFinder {
        @Nullable
        String find(MethodCall call);
    }
}
