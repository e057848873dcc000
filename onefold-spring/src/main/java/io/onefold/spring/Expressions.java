package io.onefold.spring;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * An expression over the arguments of a method. It comes from the code, never from a request, and can read only: there are no types,
 * constructors, beans or assignments.
 */
final class Expressions {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Pattern VARIABLE = Pattern.compile("#([A-Za-z_$][A-Za-z0-9_$]*)");

    private final String what;
    private final Expression expression;
    private final Map<String, Integer> variables = new LinkedHashMap<>();

    private Expressions(String what, Expression expression) {
        this.what = what;
        this.expression = expression;
    }

    /**
     * @param what of which method and attribute it is, for messages
     * @throws IllegalArgumentException if it cannot be parsed, or names what is no argument
     */
    static Expressions of(String what, String text, Method method) {
        Expressions parsed;
        try {
            parsed = new Expressions(what + " \"" + text + "\"", PARSER.parseExpression(text));
        } catch (ParseException e) {
            throw new IllegalArgumentException(what + " \"" + text + "\" is no expression: " + e.getSimpleMessage(), e);
        }
        Map<String, Integer> known = arguments(method);
        Matcher named = VARIABLE.matcher(text);
        while (named.find()) {
            String name = named.group(1);
            if (name.equals("this") || name.equals("root")) {
                continue;
            }
            Integer at = known.get(name);
            if (at == null) {
                throw new IllegalArgumentException(
                        parsed.what + " names #" + name + ", which is no argument; there are "
                                + known.keySet()
                                + (NAMES.getParameterNames(method) == null
                                        ? "; names need classes compiled with -parameters"
                                        : ""));
            }
            parsed.variables.put(name, at);
        }
        return parsed;
    }

    private static Map<String, Integer> arguments(Method method) {
        Map<String, Integer> known = new LinkedHashMap<>();
        String[] names = NAMES.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            // the last argument of a Kotlin function that suspends has no name
            if (names != null && i < names.length) {
                known.put(names[i], i);
            }
            known.putIfAbsent("p" + i, i);
            known.putIfAbsent("a" + i, i);
        }
        return known;
    }

    /** The names of a method's arguments, as far as they are known. */
    static Map<Integer, String> names(Method method) {
        Map<Integer, String> names = new HashMap<>();
        String[] known = NAMES.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            names.put(i, known == null || i >= known.length ? "p" + i : known[i]);
        }
        return names;
    }

    /** @throws KeyExpressionException if it fails */
    @Nullable
    Object value(@Nullable Object[] arguments) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forPropertyAccessors(
                        DataBindingPropertyAccessor.forReadOnlyAccess(), RecordAccessor.INSTANCE, MapReader.INSTANCE)
                .withInstanceMethods()
                .withAssignmentDisabled()
                .build();
        variables.forEach((name, at) -> context.setVariable(name, arguments[at]));
        try {
            return expression.getValue(context);
        } catch (RuntimeException e) {
            // the message of the cause may quote arguments
            throw new KeyExpressionException(
                    what + " has failed: " + e.getClass().getSimpleName(), e);
        }
    }

    /** The value as a key, or as a part of one: null and blank ones are none. */
    @Nullable
    String text(@Nullable Object[] arguments) {
        Object value = value(arguments);
        if (value == null) {
            return null;
        }
        if (value instanceof CharSequence
                || value instanceof Number
                || value instanceof Enum<?>
                || value instanceof java.util.UUID
                || value instanceof Character
                || value instanceof java.time.temporal.TemporalAccessor) {
            String text = value.toString();
            return text.isBlank() ? null : text;
        }
        throw new KeyExpressionException(
                what + " is a " + value.getClass().getName()
                        + "; it must be a text, a number, a UUID, an enum or a date",
                new ClassCastException(value.getClass().getName()));
    }

    @Override
    public String toString() {
        return what;
    }
}
