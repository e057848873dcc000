package io.onefold.payload.contract;

import static io.onefold.payload.contract.ResultRow.alike;
import static io.onefold.payload.contract.ResultRow.notKept;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFilter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonIdentityReference;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonManagedReference;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonRootName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.JsonView;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows for annotations that change the JSON of a value. */
@SuppressWarnings("unused") // what nobody reads is what they are about
final class ShapeRows {

    private static final LocalDateTime SECONDS = LocalDateTime.of(2024, 2, 29, 1, 2, 3);

    private ShapeRows() {}

    static List<ResultRow> rows() {
        return List.of(
                alike("@JsonFormat(STRING) long", "field", new TextField(17L)),
                alike("@JsonFormat(STRING) long", "getter", new TextGetter(17L)),
                alike("@JsonFormat(STRING) long", "constructor", new TextConstructor(17L)),
                alike("@JsonFormat(STRING) long", "record", new TextRecord(17L, 18)),
                alike("@JsonFormat(STRING) long", "subclass", new TextSubclass(17L)),
                notKept("@JsonFormat(NUMBER) enum", "record", new Numbered(Level.LOW)),
                alike("@JsonFormat(pattern), all written", "record", new Formatted(SECONDS)),
                notKept("@JsonFormat(pattern), digits dropped", "record", new Formatted(SECONDS.plusNanos(1))),
                notKept("@JsonFormat(ARRAY) on a list with fields", "class", new Shaped("a")),
                alike("@JsonUnwrapped", "field", new Unwrapped("a", 1)),
                alike("@JsonUnwrapped", "record", new UnwrappedRecord(new Inner("a", 1), 2)),
                alike("@JsonValue and @JsonCreator", "class", new Code("a")),
                alike("@JsonValue and @JsonCreator", "record", new CodeRecord("a")),
                notKept("@JsonValue alone", "class", new OneWay("a", 1)),
                alike("@JsonAnyGetter and @JsonAnySetter", "field", new AnyBoth("a")),
                notKept("@JsonAnyGetter alone", "field", new AnyGetter("a")),
                alike("@JsonView", "field", new Viewed()),
                alike("@JsonInclude(NON_NULL)", "field", new NonNullField()),
                alike("@JsonInclude(NON_NULL)", "record", new NonNullRecord(null, 0)),
                alike("@JsonInclude(NON_DEFAULT)", "class", new NonDefault(0)),
                alike("@JsonInclude(NON_EMPTY), empty from the start", "field", new NonEmpty(new ArrayList<>())),
                notKept("@JsonInclude(NON_EMPTY), empty for null", "record", new NonEmptyRecord(List.of(), 1)),
                notKept("@JsonRawValue", "record", new Raw("{\"a\":1}")),
                alike(
                        "@JsonManagedReference and @JsonBackReference",
                        "field",
                        new Parent().add("a").add("b")),
                alike("@JsonIdentityInfo", "class", Node.circle()),
                notKept("@JsonIdentityReference(alwaysAsId)", "field", Referring.to(new Node("a"))),
                alike("@JsonAlias", "record", new Aliased("a")),
                alike("@JsonPropertyOrder, @JsonRootName", "record", new Ordered("a", 1)),
                notKept("@JsonFilter without a filter", "record", new Filtered("a")),
                notKept("@JacksonInject", "constructor", new Injected("a", 1)),
                alike("enum with toString", "record", new Leveled(Level.LOW)),
                alike("enum with @JsonProperty", "record", new Renamed(Renaming.ON)),
                alike("enum with @JsonValue", "record", new Coded(Coding.ON)),
                alike("enum with bodies", "record", new Bodied(Body.ONE)),
                notKept("accessor that changes", "record", new Masked("4242424242424242")),
                notKept("constructor that changes", "record", Appended.of("a")),
                alike("constructor that normalizes", "record", new Trimmed(" a ")));
    }

    static class TextField {
        @JsonFormat(shape = Shape.STRING)
        public @Nullable Long id;

        TextField() {}

        TextField(Long id) {
            this.id = id;
        }
    }

    static class TextGetter {
        private long id;

        TextGetter() {}

        TextGetter(long id) {
            this.id = id;
        }

        @JsonFormat(shape = Shape.STRING)
        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    static class TextConstructor {
        private final @Nullable Long id;

        @JsonCreator
        TextConstructor(@JsonProperty("id") @JsonFormat(shape = Shape.STRING) @Nullable Long id) {
            this.id = id;
        }

        public @Nullable Long getId() {
            return id;
        }
    }

    record TextRecord(
            @JsonFormat(shape = Shape.STRING) Long id,
            @JsonFormat(shape = Shape.STRING) int count) {}

    static class TextSubclass extends TextField {
        TextSubclass() {}

        TextSubclass(Long id) {
            super(id);
        }
    }

    enum Level {
        LOW,
        HIGH;

        @Override
        public String toString() {
            return "level " + name();
        }
    }

    record Leveled(Level level) {}

    record Numbered(@JsonFormat(shape = Shape.NUMBER) Level level) {}

    record Formatted(
            @JsonFormat(pattern = "yyyy-MM-dd HH:mm:ss") LocalDateTime at) {}

    static class Shaped extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        private @Nullable String title;

        Shaped() {}

        Shaped(String title) {
            this.title = title;
            add("b");
        }
    }

    static class Inner {
        public @Nullable String name;
        public int count;

        Inner() {}

        Inner(String name, int count) {
            this.name = name;
            this.count = count;
        }
    }

    static class Unwrapped {
        @JsonUnwrapped
        public @Nullable Inner inner;

        public int own = 3;

        Unwrapped() {}

        Unwrapped(String name, int count) {
            inner = new Inner(name, count);
        }
    }

    record UnwrappedRecord(@JsonUnwrapped Inner inner, int own) {}

    static class Code {
        private final String text;

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Code(String text) {
            this.text = text;
        }

        @JsonValue
        public String text() {
            return text;
        }
    }

    record CodeRecord(@JsonValue String text) {}

    static class OneWay {
        private final String text;
        private final int more;

        OneWay(String text, int more) {
            this.text = text;
            this.more = more;
        }

        @JsonValue
        public String text() {
            return text;
        }
    }

    static class AnyBoth {
        private final Map<String, Object> more = new LinkedHashMap<>();

        AnyBoth() {}

        AnyBoth(String value) {
            more.put("x", value);
        }

        @JsonAnyGetter
        public Map<String, Object> more() {
            return more;
        }

        @JsonAnySetter
        public void set(String name, Object value) {
            more.put(name, value);
        }
    }

    static class AnyGetter {
        private final Map<String, Object> more = new LinkedHashMap<>();

        AnyGetter() {}

        AnyGetter(String value) {
            more.put("x", value);
        }

        @JsonAnyGetter
        public Map<String, Object> more() {
            return more;
        }
    }

    interface Internal {}

    static class Viewed {
        @JsonView(Internal.class)
        public int hidden = 3;

        public int shown = 4;
    }

    static class NonNullField {
        @JsonInclude(Include.NON_NULL)
        public @Nullable String text;

        public int count = 1;
    }

    record NonNullRecord(
            @JsonInclude(Include.NON_NULL) @Nullable String text, int count) {}

    @JsonInclude(Include.NON_DEFAULT)
    static class NonDefault {
        public int count = 3;

        NonDefault() {}

        NonDefault(int count) {
            this.count = count;
        }
    }

    static class NonEmpty {
        @JsonInclude(Include.NON_EMPTY)
        public List<String> names = new ArrayList<>();

        public int count = 1;

        NonEmpty() {}

        NonEmpty(List<String> names) {
            this.names = names;
        }
    }

    record NonEmptyRecord(@JsonInclude(Include.NON_EMPTY) List<String> names, int count) {}

    record Raw(@JsonRawValue String json) {}

    static class Parent {
        @JsonManagedReference
        public List<Child> children = new ArrayList<>();

        Parent add(String name) {
            Child child = new Child();
            child.name = name;
            child.parent = this;
            children.add(child);
            return this;
        }
    }

    static class Child {
        public @Nullable String name;

        @JsonBackReference
        public @Nullable Parent parent;
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.IntSequenceGenerator.class)
    static class Node {
        public @Nullable String name;
        public @Nullable Node next;

        Node() {}

        Node(String name) {
            this.name = name;
        }

        static Node circle() {
            Node one = new Node("a");
            one.next = new Node("b");
            one.next.next = one;
            return one;
        }
    }

    static class Referring {
        @JsonIdentityReference(alwaysAsId = true)
        public @Nullable Node node;

        static Referring to(Node node) {
            Referring referring = new Referring();
            referring.node = node;
            return referring;
        }
    }

    record Aliased(@JsonAlias("title") String name) {}

    @JsonRootName("ordered")
    @JsonPropertyOrder({"second", "first"})
    record Ordered(String first, int second) {}

    @JsonFilter("missing")
    record Filtered(String name) {}

    static class Injected {
        private final @Nullable String injected;
        public final int count;

        @JsonCreator
        Injected(@JacksonInject("service") @Nullable String injected, @JsonProperty("count") int count) {
            this.injected = injected;
            this.count = count;
        }
    }

    enum Renaming {
        @JsonProperty("is-on")
        ON
    }

    record Renamed(Renaming renaming) {}

    enum Coding {
        ON;

        @JsonValue
        String code() {
            return "x";
        }
    }

    record Coded(Coding coding) {}

    enum Body {
        ONE {
            @Override
            int number() {
                return 1;
            }
        };

        abstract int number();
    }

    record Bodied(Body body) {}

    record Masked(String card) {
        @Override
        public String card() {
            return "****" + card.substring(card.length() - 4);
        }
    }

    record Appended(String text) {
        Appended {
            text = text + "!";
        }

        static Appended of(String text) {
            return new Appended(text);
        }
    }

    record Trimmed(String text) {
        Trimmed {
            text = text.trim();
        }
    }
}
