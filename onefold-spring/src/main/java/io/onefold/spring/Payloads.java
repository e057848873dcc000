package io.onefold.spring;

import io.onefold.payload.Fingerprint;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedMethod;

/**
 * What the arguments of a call stand for. Those that carry something of the request count; those through which the framework hands
 * over its own things, or that differ from one delivery to the next, do not.
 */
final class Payloads {
    /** The arguments that carry something. */
    private final List<Carrier> carriers = new ArrayList<>();

    /** Those of them that no fingerprint of an HTTP request has in it. */
    private final List<Carrier> besideRequest = new ArrayList<>();

    private boolean body;
    private @Nullable String stream;

    private Payloads() {}

    static Payloads of(Method method, Class<?> owner, boolean called) {
        Payloads payloads = new Payloads();
        // with the annotations that the same parameter has in an interface
        MethodParameter[] parameters = new AnnotatedMethod(method).getMethodParameters();
        Map<Integer, String> names = Expressions.names(method);
        for (int i = 0; i < parameters.length; i++) {
            ResolvableType type = ResolvableType.forMethodParameter(method, i, owner);
            String name = names.getOrDefault(i, "p" + i);
            if (isStream(type)) {
                payloads.stream = name;
            } else if (Carriers.carries(parameters[i], called)) {
                payloads.add(new Carrier(i, name, Unwrapped.type(type)), parameters[i]);
            }
        }
        return payloads;
    }

    private void add(Carrier carrier, MethodParameter parameter) {
        carriers.add(carrier);
        body |= Carriers.isBody(parameter);
        if (!Carriers.isOfRequest(parameter)) {
            besideRequest.add(carrier);
        }
    }

    /** Whether it carries something that cannot be read for a fingerprint and by the method, too: itself, or in what it holds. */
    private static boolean isStream(ResolvableType type) {
        if (type.isArray()) {
            return isStream(type.getComponentType());
        }
        Class<?> raw = type.resolve(Object.class);
        if (InputStream.class.isAssignableFrom(raw)
                || Reader.class.isAssignableFrom(raw)
                || Supertypes.match(raw, Carriers::isStream)) {
            return true;
        }
        for (ResolvableType held : type.getGenerics()) {
            if (isStream(held)) {
                return true;
            }
        }
        return false;
    }

    /** An argument that carries something which no fingerprint can be taken of; null if there is none. */
    @Nullable
    String stream() {
        return stream;
    }

    /** Whether one of the arguments is the body of an HTTP request. */
    boolean hasBody() {
        return body;
    }

    /**
     * @param requested whether the fingerprint of the HTTP request counts in place of the arguments that were made of it
     * @throws IllegalArgumentException if no value of an argument's type could be compared
     */
    void check(IdempotentMethod method, boolean requested) {
        for (Carrier carrier : requested ? besideRequest : carriers) {
            try {
                ArgumentTypes.check(carrier.type);
            } catch (UnfitArgumentException e) {
                throw unfit(method, "its argument " + carrier.name, e);
            }
        }
    }

    /** Arguments count by their order, for their names are the code's own. An only one is what was asked for, as it is. */
    Fingerprint print(Printer printer, IdempotentMethod method, @Nullable Object[] arguments) {
        if (carriers.size() == 1) {
            return printed(
                    printer, method, "its argument " + carriers.get(0).name, state(method, carriers.get(0), arguments));
        }
        return printed(printer, method, "its arguments", numbered(method, carriers, arguments));
    }

    /** What of the arguments the fingerprint of an HTTP request does not have in it. */
    Map<String, @Nullable Object> besideRequest(IdempotentMethod method, @Nullable Object[] arguments) {
        return besideRequest.isEmpty() ? Map.of() : numbered(method, besideRequest, arguments);
    }

    private static Map<String, @Nullable Object> numbered(
            IdempotentMethod method, List<Carrier> counting, @Nullable Object[] arguments) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        for (Carrier carrier : counting) {
            all.put("argument-" + (all.size() + 1), state(method, carrier, arguments));
        }
        return all;
    }

    private static @Nullable Object state(IdempotentMethod method, Carrier carrier, @Nullable Object[] arguments) {
        return state(method, "its argument " + carrier.name, Unwrapped.of(arguments[carrier.at]), carrier.declared);
    }

    private static @Nullable Object state(
            IdempotentMethod method, String what, @Nullable Object value, DeclaredType declared) {
        try {
            return ArgumentState.of(value, declared);
        } catch (IllegalArgumentException e) {
            throw unfit(method, what, e);
        }
    }

    /**
     * The fingerprint of what an expression says.
     *
     * @param what the attribute that has the expression
     */
    static Fingerprint print(Printer printer, IdempotentMethod method, String what, @Nullable Object value) {
        String named = "the value of " + what;
        return printed(printer, method, named, state(method, named, value, DeclaredType.UNKNOWN));
    }

    private static Fingerprint printed(Printer printer, IdempotentMethod method, String what, @Nullable Object state) {
        try {
            return printer.print(state);
        } catch (IllegalArgumentException e) {
            throw unfit(method, what, e);
        }
    }

    private static IllegalArgumentException unfit(IdempotentMethod method, String what, IllegalArgumentException why) {
        return new IllegalArgumentException(
                method + ": no fingerprint can be taken of " + what + ": " + why.getMessage()
                        + "; say with matching what must be equal under an equal key, such as matching = \"#order.id\"",
                why);
    }

    /** An argument that carries something. */
    private record Carrier(int at, String name, ResolvableType type, DeclaredType declared) {
        Carrier(int at, String name, ResolvableType type) {
            this(at, name, type, DeclaredType.of(type));
        }
    }
}
