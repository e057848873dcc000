package io.onefold.spring;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.time.temporal.TemporalAccessor;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** An expression over the arguments of a method. It comes from the code, never from a request, and can read only. */
final class KeyExpressions {
    /** Compilation is off: a compiled expression would repeat earlier method calls without the check that they are allowed. */
    static final SpelParserConfiguration CONFIGURATION = new SpelParserConfiguration(SpelCompilerMode.OFF, null);

    private static final SpelExpressionParser PARSER = new SpelExpressionParser(CONFIGURATION);
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final Set<Class<? extends SpelNode>> MORE_THAN_READING = Set.of(
            Assign.class,
            OpInc.class,
            OpDec.class,
            TypeReference.class,
            ConstructorReference.class,
            BeanReference.class,
            FunctionReference.class);

    private final String what;
    private final Expression expression;
    private final Map<String, Integer> variables = new LinkedHashMap<>();

    private KeyExpressions(String what, Expression expression) {
        this.what = what;
        this.expression = expression;
    }

    /**
     * @param what the method and the attribute of the expression, for messages
     * @throws IllegalArgumentException if it cannot be parsed, or names an unknown argument
     */
    static KeyExpressions of(String what, String text, Method method) {
        KeyExpressions parsed;
        try {
            parsed = new KeyExpressions(what + " \"" + text + "\"", PARSER.parseExpression(text));
        } catch (ParseException e) {
            throw new IllegalArgumentException(what + " \"" + text + "\" is no expression: " + e.getSimpleMessage(), e);
        }
        parsed.look(((SpelExpression) parsed.expression).getAST(), method);
        return parsed;
    }

    /** Checks all parts of the expression. A part that could do more than read is rejected before it is ever evaluated. */
    private void look(SpelNode node, Method method) {
        if (MORE_THAN_READING.stream().anyMatch(kind -> kind.isInstance(node))) {
            throw new IllegalArgumentException(
                    what + " has " + node.toStringAST() + " in it, but expressions only read arguments");
        }
        if (node instanceof VariableReference) {
            variable(node.toStringAST().substring(1), method);
        }
        if (node instanceof CompoundExpression && node.getChild(0) instanceof VariableReference first) {
            properties(first.toStringAST().substring(1), node, method);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            look(node.getChild(i), method);
        }
    }

    /** Checks the properties as far as the declared types are known. A property that only a subclass may have is looked up at the call. */
    private void properties(String argument, SpelNode path, Method method) {
        Integer at = arguments(method).get(argument);
        @Nullable Class<?> type = at == null ? null : method.getParameterTypes()[at];
        for (int i = 1; i < path.getChildCount() && type != null && isWhole(type); i++) {
            if (!(path.getChild(i) instanceof PropertyOrFieldReference property)) {
                return;
            }
            Class<?> of = property(type, property.getName());
            if (of == null) {
                throw new IllegalArgumentException(
                        what + " reads \"" + property.getName() + "\", which is no property of " + type.getName());
            }
            type = of;
        }
    }

    /** Returns true if the type declares all properties that its values have, as records and beans usually do. */
    private static boolean isWhole(Class<?> type) {
        return !type.isInterface()
                && !type.isArray()
                && !type.isPrimitive()
                && !Modifier.isAbstract(type.getModifiers())
                && !Map.class.isAssignableFrom(type)
                && !type.getName().startsWith("java.");
    }

    /** Returns the type of the property, or null if there is no such property. */
    private static @Nullable Class<?> property(Class<?> type, String name) {
        PropertyDescriptor bean = BeanUtils.getPropertyDescriptor(type, name);
        if (bean != null && bean.getReadMethod() != null) {
            return bean.getPropertyType();
        }
        for (Field field : type.getFields()) {
            if (field.getName().equals(name)) {
                return field.getType();
            }
        }
        RecordComponent[] components = type.getRecordComponents();
        for (RecordComponent component : components == null ? new RecordComponent[0] : components) {
            if (component.getName().equals(name)) {
                return component.getType();
            }
        }
        return null;
    }

    private void variable(String name, Method method) {
        if (name.equals("this") || name.equals("root")) {
            return;
        }
        Map<String, Integer> known = arguments(method);
        Integer at = known.get(name);
        if (at == null) {
            throw new IllegalArgumentException(what + " names #" + name + ", which is no argument; there are "
                    + known.keySet()
                    + (NAMES.getParameterNames(method) == null
                            ? "; names need classes compiled with -parameters"
                            : ""));
        }
        variables.put(name, at);
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
        try {
            return expression.getValue(new ArgumentVariables(variables, arguments));
        } catch (RuntimeException e) {
            // the message of the cause may quote arguments
            throw new KeyExpressionException(
                    what + " has failed: " + e.getClass().getSimpleName(), e);
        }
    }

    /** The value as a key, or as a part of one. Null and blank values count as no key. */
    @Nullable
    String text(@Nullable Object[] arguments) {
        Object value = value(arguments);
        if (value == null) {
            return null;
        }
        if (value instanceof CharSequence
                || value instanceof Number
                || value instanceof Enum<?>
                || value instanceof UUID
                || value instanceof Character
                || value instanceof TemporalAccessor) {
            // toString may be the same for two constants of an enum
            String text = value instanceof Enum<?> constant ? constant.name() : value.toString();
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
