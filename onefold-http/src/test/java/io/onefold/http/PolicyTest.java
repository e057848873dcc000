package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each setting of a policy is written out more than once; none may be forgotten. */
class PolicyTest {
    @Test
    void what_one_policy_chooses_stands_over_what_the_other_does() throws Exception {
        for (var field : settings()) {
            HttpPolicy chosen = empty();
            field.set(chosen, sample(field.getType()));
            assertThat(field.get(chosen.over(HttpPolicy.unchanged())))
                    .as(field.getName())
                    .isSameAs(field.get(chosen));
            assertThat(field.get(HttpPolicy.unchanged().over(chosen)))
                    .as(field.getName())
                    .isSameAs(field.get(chosen));
            HttpPolicy other = empty();
            field.set(other, other(field.getType()));
            assertThat(field.get(chosen.over(other))).as(field.getName()).isSameAs(field.get(chosen));
        }
    }

    @Test
    void every_setting_can_be_chosen_and_stays_chosen() throws Exception {
        Set<String> chosen = new TreeSet<>();
        HttpPolicy all = HttpPolicy.unchanged();
        for (Method method : HttpPolicy.class.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())) {
                all = (HttpPolicy) method.invoke(
                        all,
                        Arrays.stream(method.getParameterTypes())
                                .map(PolicyTest::sample)
                                .toArray());
            }
        }
        Set<String> names = new TreeSet<>();
        for (var field : settings()) {
            names.add(field.getName());
            if (field.get(all) != null) {
                chosen.add(field.getName());
            }
        }
        assertThat(chosen).isEqualTo(names);
    }

    private static List<java.lang.reflect.Field> settings() {
        return Arrays.stream(HttpPolicy.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .toList();
    }

    private static HttpPolicy empty() throws Exception {
        Constructor<HttpPolicy> constructor = HttpPolicy.class.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private static Object sample(Class<?> type) {
        if (type == boolean.class || type == Boolean.class) {
            return true;
        }
        if (type == int.class || type == Integer.class) {
            return 503;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            Object one = Array.newInstance(type.getComponentType(), 1);
            Array.set(one, 0, sample(type.getComponentType()));
            return one;
        }
        return type == Class.class ? IllegalStateException.class : objects(type, "x", 2);
    }

    private static Object other(Class<?> type) {
        if (type == Boolean.class) {
            return false;
        }
        if (type == Integer.class) {
            return 423;
        }
        return type.isEnum() ? type.getEnumConstants()[1] : objects(type, "y", 3);
    }

    private static Object objects(Class<?> type, String text, int number) {
        List<Object> all = List.of(
                "X-" + text,
                Duration.ofMinutes(number),
                KeySource.query(text),
                KeySyntax.lenient().length(1, number),
                BodyRules.standard().max(number),
                List.of(text),
                Set.of(text));
        return all.stream().filter(type::isInstance).findFirst().orElseThrow();
    }
}
