package io.onefold.spring;

import io.onefold.Key;
import io.onefold.http.Caller;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.KeySyntax;
import io.onefold.http.Problem;
import io.onefold.http.ProblemException;
import io.onefold.payload.Fingerprint;
import io.onefold.spring.Declared.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the key of a call, its owner and its fingerprint. */
final class Keys {
    private static final KeySyntax SYNTAX = KeySyntax.lenient();

    private final IdempotentMethod method;
    private final Wiring wiring;
    private final List<Finder> finders = new ArrayList<>();
    private final @Nullable Expressions content;
    private final @Nullable Expressions scope;
    private final @Nullable Expressions matching;
    private final @Nullable Expressions bizId;
    private final Payloads payloads;
    private final @Nullable Slots slots;

    /** True if the key is in the HTTP request. If the filter holds the request, it has read the key already. */
    private final boolean readsRequest;

    Keys(IdempotentMethod method, Wiring wiring) {
        this.method = method;
        this.wiring = wiring;
        Declared declared = method.declared();
        Expressions contentOf = null;
        for (Place place : declared.places().isEmpty() ? usual() : declared.places()) {
            switch (place.kind()) {
                case EXPRESSION -> {
                    Expressions expression = expression("key", place.text());
                    finders.add(call -> expression.text(call.arguments()));
                }
                case HEADER -> finders.add(call -> header(call, place.text()));
                case PARAMETER -> finders.add(call -> parameter(call, place.text()));
                case CONTENT -> contentOf = expression("content", place.text());
            }
        }
        if (finders.isEmpty() && contentOf == null) {
            Slots planned = Slots.of(method.method(), wiring.placeholders(), wiring.clock(), System::nanoTime);
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
        this.payloads = Payloads.of(method.method(), method.type(), method.door() == Door.CALL);
        if (content != null && scope == null && method.door() == Door.CALL) {
            throw new IllegalArgumentException(method
                    + " takes its key from content, but does not say whose it is: scope = \"#user.id\", say, or scope ="
                    + " \"'all'\" if equal content of two users is one request");
        }
    }

    /** The usual places of the keys of such methods. Empty for a scheduled job, whose key is its planned time. */
    private List<Place> usual() {
        return switch (method.door()) {
            case HTTP, KAFKA, RABBIT -> List.of(new Place(Place.Kind.HEADER, wiring.header()));
            case SCHEDULED -> List.of();
            case CALL ->
                throw new IllegalArgumentException(
                        method + " does not say what its key is: key = \"#order.id\", say, or content with a window");
        };
    }

    private Expressions expression(String attribute, String text) {
        return Expressions.of(method + ": " + attribute, text, method.method());
    }

    private @Nullable Expressions said(String attribute, String text) {
        return text.isEmpty() ? null : expression(attribute, text);
    }

    /**
     * Returns null if there is no key, and none is needed.
     *
     * @throws MissingKeyException if there is no key, but one is needed
     * @throws RejectedCallException if the request brings a key that is not valid
     */
    @Nullable
    Key of(Call call) {
        @Nullable Object[] arguments = call.arguments();
        if (content != null) {
            Fingerprint print = Payloads.print(wiring.printer(), method, "content", content.value(arguments));
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
        for (Finder finder : value == null ? finders : List.<Finder>of()) {
            String found = finder.find(call);
            if (found != null && value != null && !found.equals(value)) {
                throw new RejectedCallException(new ProblemException(
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
        return method.door() == Door.HTTP && matching == null && content == null && payloads.hasBody();
    }

    private static Key key(Call call, String value) {
        try {
            return Key.of(value);
        } catch (IllegalArgumentException e) {
            throw call.request() == null
                    ? e
                    : new RejectedCallException(
                            new ProblemException(Problem.ProblemType.KEY_INVALID, String.valueOf(e.getMessage())));
        }
    }

    private Key scoped(Call call, Key key) {
        if (scope != null) {
            String whose = scope.text(call.arguments());
            if (whose == null) {
                throw new MissingKeyException(scope + " is empty");
            }
            return key.in(whose);
        }
        if (call.request() != null || method.door() == Door.HTTP) {
            return caller(call).in(key);
        }
        Messages.Message message = message(call);
        List<String> parts = message == null ? List.of() : message.scope();
        return parts.isEmpty() ? key : key.in(parts.toArray(String[]::new));
    }

    private Key whole(Call call, Key key) {
        Fingerprint print = print(call);
        String business = bizId == null ? null : bizId.text(call.arguments());
        Key printed = print == null ? key : key.matching(print);
        return business == null ? printed : printed.bizId(business);
    }

    /** Returns null if there is no fingerprint, and the annotation cannot name other content to compare. */
    private @Nullable Fingerprint print(Call call) {
        try {
            return matching == null
                    ? printed(call)
                    : Payloads.print(wiring.printer(), method, "matching", matching.value(call.arguments()));
        } catch (IllegalArgumentException e) {
            if (method.declared().legacy()) {
                return null;
            }
            throw e;
        }
    }

    private Fingerprint printed(Call call) {
        Requests.Request request = comparesRequest() ? call.request() : null;
        try {
            Fingerprint whole =
                    request == null ? null : request.fingerprint(payloads.besideRequest(method, call.arguments()));
            return whole == null ? payloads.print(wiring.printer(), method, call.arguments()) : whole;
        } catch (ProblemException e) {
            throw new RejectedCallException(e);
        }
    }

    private Caller caller(Call call) {
        if (call.request() == null) {
            throw new IllegalStateException(
                    method + " was called outside of a request: it is not known whose key it is; say so with scope");
        }
        Caller caller = call.request().caller();
        if (caller == null) {
            throw new RejectedCallException(new ProblemException(
                    Problem.ProblemType.UNAUTHENTICATED, "A key means nothing without who it belongs to."));
        }
        return caller;
    }

    private @Nullable String header(Call call, String name) {
        if (call.request() != null) {
            return spelled(only(call.request().headers(name), name));
        }
        Messages.Message message = message(call);
        return message == null ? null : only(message.headers(name), name);
    }

    private static @Nullable String spelled(@Nullable String line) {
        try {
            return line == null ? null : SYNTAX.parse(line);
        } catch (ProblemException e) {
            throw new RejectedCallException(e);
        }
    }

    private static @Nullable String parameter(Call call, String name) {
        return call.request() == null ? null : only(call.request().parameters(name), name);
    }

    private static @Nullable String only(List<String> values, String name) {
        if (values.size() > 1) {
            throw new RejectedCallException(new ProblemException(
                    Problem.ProblemType.KEY_INVALID, "There are " + values.size() + " of " + name + "; one is allowed."));
        }
        return values.isEmpty() || values.get(0).isBlank() ? null : values.get(0);
    }

    private Messages.@Nullable Message message(Call call) {
        return method.door().listens() ? wiring.messages().current(method.door(), call.arguments()) : null;
    }

    private interface Finder {
        @Nullable
        String find(Call call);
    }
}
