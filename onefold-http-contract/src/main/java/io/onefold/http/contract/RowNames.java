package io.onefold.http.contract;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Cases are named as sentences that begin with the rows that they show: {@code h06_two_lines_of_the_header_are_refused}. */
final class RowNames extends DisplayNameGenerator.ReplaceUnderscores {
    private static final Pattern ROW = Pattern.compile("([bhs]\\d{2})_");

    /** The rows that a method's name begins with. */
    static List<String> of(Method method) {
        List<String> rows = new ArrayList<>();
        Matcher matcher = ROW.matcher(method.getName());
        while (matcher.lookingAt()) {
            rows.add(matcher.group(1).toUpperCase(Locale.ROOT));
            matcher.region(matcher.end(), method.getName().length());
        }
        return rows;
    }

    /** The sentence that a method's name is. */
    static String sentence(Method method) {
        List<String> rows = of(method);
        // each row's name and the mark after it
        String sentence = method.getName().substring(rows.size() * 4).replace('_', ' ');
        return rows.isEmpty() ? sentence : String.join(" ", rows) + " " + sentence;
    }

    @Override
    public String generateDisplayNameForMethod(List<Class<?>> enclosing, Class<?> test, Method method) {
        return sentence(method);
    }
}
