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
 * The payload of a call's arguments. Arguments that carry a part of the request count. Arguments with the framework's own objects, or that
 * differ from one delivery to the next, do not.
 */
final class ArgumentPayload {
    /** The arguments that carry a part of the request. */
    private final List<PayloadArgument> carriers = new ArrayList<>();

    /** The carrying arguments that the fingerprint of an HTTP request does not include. */
    private final List<PayloadArgument> besideRequest = new ArrayList<>();

    private boolean body;
    private @Nullable String stream;

    private ArgumentPayload() {}

    static ArgumentPayload of(Method method, Class<?> owner, boolean called) {
        ArgumentPayload payloads = new ArgumentPayload();
        // with the annotations that the same parameter has in an interface
        MethodParameter[] parameters = new AnnotatedMethod(method).getMethodParameters();
        Map<Integer, String> names = KeyExpressions.names(method);
        for (int i = 0; i < parameters.length; i++) {
            ResolvableType type = ResolvableType.forMethodParameter(method, i, owner);
            String name = names.getOrDefault(i, "p" + i);
            if (isStream(type)) {
                payloads.stream = name;
            } else if (PayloadParameters.carries(parameters[i], called)) {
                payloads.add(new PayloadArgument(i, name, WrapperContents.type(type)), parameters[i]);
            }
        }
        return payloads;
    }

    private void add(PayloadArgument carrier, MethodParameter parameter) {
        carriers.add(carrier);
        body |= PayloadParameters.isBody(parameter);
        if (!PayloadParameters.isOfRequest(parameter)) {
            besideRequest.add(carrier);
        }
    }

    /**
     * Returns true if the type can be read only once, itself or in its content. Then the fingerprint and the method cannot both read it.
     */
    private static boolean isStream(ResolvableType type) {
        if (type.isArray()) {
            return isStream(type.getComponentType());
        }
        Class<?> raw = type.resolve(Object.class);
        if (InputStream.class.isAssignableFrom(raw)
                || Reader.class.isAssignableFrom(raw)
                || SupertypeNames.match(raw, PayloadParameters::isStream)) {
            return true;
        }
        for (ResolvableType held : type.getGenerics()) {
            if (isStream(held)) {
                return true;
            }
        }
        return false;
    }

    /** Returns an argument that carries something without a fingerprint; null if there is none. */
    @Nullable
    String stream() {
        return stream;
    }

    /** Returns true if one of the arguments is the body of an HTTP request. */
    boolean hasBody() {
        return body;
    }

    /**
     * @param requested true if the fingerprint of the HTTP request counts in place of the arguments that were made from it
     * @throws IllegalArgumentException if no value of an argument's type could be compared
     */
    void check(IdempotentMethod method, boolean requested) {
        for (PayloadArgument carrier : requested ? besideRequest : carriers) {
            try {
                ArgumentTypeCheck.check(carrier.type);
            } catch (NoFingerprintException e) {
                throw unfit(method, "its argument " + carrier.name, e);
            }
        }
    }

    /**
     * Takes the fingerprint of the arguments. They count by their order, since their names belong to the code. A single argument counts as
     * it is.
     */
    Fingerprint print(ArgumentFingerprinter printer, IdempotentMethod method, @Nullable Object[] arguments) {
        if (carriers.size() == 1) {
            return printed(
                    printer, method, "its argument " + carriers.get(0).name, state(method, carriers.get(0), arguments));
        }
        return printed(printer, method, "its arguments", numbered(method, carriers, arguments));
    }

    /** Returns the arguments that the fingerprint of an HTTP request does not include. */
    Map<String, @Nullable Object> besideRequest(IdempotentMethod method, @Nullable Object[] arguments) {
        return besideRequest.isEmpty() ? Map.of() : numbered(method, besideRequest, arguments);
    }

    private static Map<String, @Nullable Object> numbered(
            IdempotentMethod method, List<PayloadArgument> counting, @Nullable Object[] arguments) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        for (PayloadArgument carrier : counting) {
            all.put("argument-" + (all.size() + 1), state(method, carrier, arguments));
        }
        return all;
    }

    private static @Nullable Object state(
            IdempotentMethod method, PayloadArgument carrier, @Nullable Object[] arguments) {
        return state(
                method, "its argument " + carrier.name, WrapperContents.of(arguments[carrier.at]), carrier.declared);
    }

    private static @Nullable Object state(
            IdempotentMethod method, String what, @Nullable Object value, DeclaredType declared) {
        try {
            return ArgumentStateTree.of(value, declared);
        } catch (IllegalArgumentException e) {
            throw unfit(method, what, e);
        }
    }

    /**
     * Takes the fingerprint of an expression's value.
     *
     * @param what the attribute that has the expression
     */
    static Fingerprint print(
            ArgumentFingerprinter printer, IdempotentMethod method, String what, @Nullable Object value) {
        String named = "the value of " + what;
        return printed(printer, method, named, state(method, named, value, DeclaredType.UNKNOWN));
    }

    private static Fingerprint printed(
            ArgumentFingerprinter printer, IdempotentMethod method, String what, @Nullable Object state) {
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

    /** An argument that carries a part of the request. */
    private record PayloadArgument(int at, String name, ResolvableType type, DeclaredType declared) {
        PayloadArgument(int at, String name, ResolvableType type) {
            this(at, name, type, DeclaredType.of(type));
        }
    }
}
