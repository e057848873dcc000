package io.onefold.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes one form in two notations, and another one besides. A target for Jazzer, too:
 * {@code --target_class=io.onefold.http.FormFuzz}.
 */
public final class FormFuzz {
    private static final String[] LETTERS = {"a", "B", "0", " ", "+", "&", "=", "%", "\u00e9", "\ud83d\ude00"};

    private FormFuzz() {}

    /** Both notations have one fingerprint; with another value, or with values of one name in another order, there is another. */
    public static void fuzzerTestOneInput(byte[] bytes) throws ProblemException {
        Choices choices = new Choices(bytes);
        List<List<String>> form = new ArrayList<>();
        for (int name = choices.below(3); name >= 0; name--) {
            List<String> values = new ArrayList<>();
            for (int i = choices.below(3); i >= 0; i--) {
                values.add(choices.text(4, LETTERS));
            }
            form.add(values);
        }
        String one = written(form, choices);
        String two = written(form, choices);
        List<List<String>> changed = new ArrayList<>(form);
        int at = choices.below(form.size());
        List<String> values = new ArrayList<>(form.get(at));
        if (values.size() > 1 && !values.get(0).equals(values.get(1)) && choices.yes()) {
            values.add(0, values.remove(1));
        } else {
            values.add(values.remove(values.size() - 1) + "x");
        }
        changed.set(at, values);
        String other = written(changed, choices);
        if (!Sent.form(one).print().equals(Sent.form(two).print())) {
            throw new AssertionError("two fingerprints: " + one + " and " + two);
        }
        if (Sent.form(one).print().equals(Sent.form(other).print())) {
            throw new AssertionError("one fingerprint: " + one + " and " + other);
        }
    }

    /** The order of names does not count, and that of one name's values does. */
    private static String written(List<List<String>> form, Choices choices) {
        List<List<String>> left = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < form.size(); i++) {
            left.add(new ArrayList<>(form.get(i)));
            names.add("n" + i);
        }
        List<String> pairs = new ArrayList<>();
        while (!left.isEmpty()) {
            int at = choices.below(left.size());
            pairs.add(
                    escaped(names.get(at), choices) + "=" + escaped(left.get(at).remove(0), choices));
            if (left.get(at).isEmpty()) {
                left.remove(at);
                names.remove(at);
            }
        }
        return String.join("&", pairs);
    }

    private static String escaped(String text, Choices choices) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : text.getBytes(UTF_8)) {
            boolean plain = (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
            if (b == ' ' && choices.yes()) {
                escaped.append('+');
            } else if (plain && choices.below(4) != 1) {
                escaped.append((char) b);
            } else {
                escaped.append(String.format(choices.yes() ? "%%%02x" : "%%%02X", b & 0xFF));
            }
        }
        return escaped.toString();
    }
}
