package io.onefold.http;

import io.onefold.payload.MalformedPayloadException;
import io.onefold.payload.PayloadParser;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A place in a request where a key may stand. */
public final class KeySource {
    private static final String ALLOWED = "allowed are header:NAME, query:NAME, form:NAME and json:$.PATH";
    private static final Pattern STEPS = Pattern.compile("\\$(\\.[\\p{L}\\p{N}_@$:-]+)+");
    private static final int MAX_QUERY = 1 << 16;

    private final KeyLocation place;
    private final String name;

    private KeySource(KeyLocation place, String name) {
        this.place = place;
        this.name = name;
    }

    /** {@code header:NAME}, {@code query:NAME}, {@code form:NAME} or {@code json:$.PATH}. */
    public static KeySource parse(String text) {
        int colon = text.indexOf(':');
        String rest = text.substring(colon + 1);
        return switch (colon < 0 ? "" : text.substring(0, colon)) {
            case "header" -> header(rest);
            case "query" -> query(rest);
            case "form" -> form(rest);
            case "json" -> json(rest);
            default -> throw new IllegalArgumentException("\"" + text + "\" is no source of keys; " + ALLOWED);
        };
    }

    public static KeySource header(String name) {
        if (name.isEmpty() || !name.chars().allMatch(c -> ParameterizedHeader.isTokenPart((char) c))) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" cannot be the name of a header: it needs letters, digits or hyphens");
        }
        return new KeySource(KeyLocation.HEADER, name);
    }

    public static KeySource query(String name) {
        return new KeySource(KeyLocation.QUERY, printable(KeyLocation.QUERY, name));
    }

    /** A field of an URL-encoded or a multipart form. */
    public static KeySource form(String name) {
        return new KeySource(KeyLocation.FORM, printable(KeyLocation.FORM, name));
    }

    /** A string or a number inside JSON: {@code $.order.id}. Arrays are not looked into. */
    public static KeySource json(String path) {
        if (!STEPS.matcher(path).matches()) {
            throw new IllegalArgumentException("\"" + path + "\" is no path to a key: it needs $ and then one or more"
                    + " names, each after a dot and of letters, digits, '_', '-', '@', '$' or ':', such as $.order.id");
        }
        return new KeySource(KeyLocation.JSON, path);
    }

    private static String printable(KeyLocation place, String name) {
        if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(place.prefix() + " needs a name without control characters");
        }
        return name;
    }

    /** Returns true if the body must be read to find the key. */
    public boolean inBody() {
        return place == KeyLocation.FORM || place == KeyLocation.JSON;
    }

    /** The key in the head; null if it has none, or if this is a source in the body. */
    @Nullable
    String of(RequestHead head, KeySyntax syntax) throws ProblemException {
        if (place == KeyLocation.HEADER) {
            // an underscore makes it another header, though some servers read both alike
            String line = only(head.headers(name));
            return line == null ? null : syntax.parse(line);
        }
        String query = head.query();
        if (place != KeyLocation.QUERY || query == null) {
            return null;
        }
        return plain(only(parameters(query)), syntax);
    }

    private List<String> parameters(String query) throws ProblemException {
        try {
            return PayloadParser.form(query, MAX_QUERY).getOrDefault(name, List.of());
        } catch (MalformedPayloadException e) {
            throw invalid("The query cannot be searched for the key: " + e.getMessage());
        }
    }

    /** The key in the body; null if it has none, is of another type, or if this is a source in the head. */
    @Nullable
    String of(SpooledBody body, KeySyntax syntax) throws ProblemException {
        if (place == KeyLocation.FORM) {
            return plain(only(body.fields(name)), syntax);
        }
        return place == KeyLocation.JSON && body.isJson() ? plain(text(body.json()), syntax) : null;
    }

    private @Nullable String text(@Nullable Object tree) throws ProblemException {
        Object found = tree;
        for (String step : name.substring(2).split("\\.", -1)) {
            found = found instanceof Map<?, ?> members ? members.get(step) : null;
        }
        if (found instanceof Map || found instanceof List || found instanceof Boolean) {
            throw invalid(this + " must be a string or a number");
        }
        return found == null ? null : found.toString();
    }

    private static @Nullable String plain(@Nullable String value, KeySyntax syntax) throws ProblemException {
        return value == null ? null : syntax.plain(value);
    }

    private @Nullable String only(List<String> values) throws ProblemException {
        if (values.size() > 1) {
            throw invalid("There are " + values.size() + " of " + this + "; one is allowed");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    private static ProblemException invalid(String detail) {
        return new ProblemException(Problem.ProblemType.KEY_INVALID, detail);
    }

    /** Returns the text that {@link #parse} reads. */
    @Override
    public String toString() {
        return place.prefix() + name;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeySource source && source.toString().equals(toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    private enum KeyLocation {
        HEADER,
        QUERY,
        FORM,
        JSON;

        private String prefix() {
            return name().toLowerCase(Locale.ROOT) + ":";
        }
    }

    /** Null if it is no header. */
    @Nullable
    String headerName() {
        return place == KeyLocation.HEADER ? name : null;
    }

    /** Returns true if the head has a value there, valid or not. */
    boolean present(RequestHead head) {
        return place == KeyLocation.HEADER && !head.headers(name).isEmpty();
    }
}
