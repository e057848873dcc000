package io.onefold.payload.contract;

import static io.onefold.payload.contract.ResultRow.alike;
import static io.onefold.payload.contract.ResultRow.notKept;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIgnoreType;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rows for properties that are written and not accepted, accepted and not written, or neither. */
@SuppressWarnings("unused") // what nobody reads is what they are about
final class AccessRows {

    private AccessRows() {}

    static List<ResultRow> rows() {
        return List.of(
                alike("READ_ONLY", "field", with(new ReadOnlyField(), it -> it.id = 17L)),
                alike("READ_ONLY", "getter", new ReadOnlyGetter(17)),
                alike("READ_ONLY", "getter without field", new ReadOnlyDerived()),
                alike("READ_ONLY", "constructor", new ReadOnlyConstructor(17L)),
                alike("READ_ONLY", "record", new ReadOnlyRecord(17L, "a")),
                alike("READ_ONLY", "subclass", with(new ReadOnlySubclass(), it -> it.set(17))),
                alike("@JsonIgnoreProperties(allowGetters)", "field", with(new AllowedGetters(), it -> it.id = 17)),
                alike("@JsonIgnoreProperties(allowGetters)", "record", new AllowedGettersRecord(17L, "a")),
                alike("WRITE_ONLY, never set", "field", new WriteOnlyField(null)),
                notKept("WRITE_ONLY", "field", new WriteOnlyField("secret")),
                notKept("WRITE_ONLY", "setter", new WriteOnlySetter("secret")),
                notKept("WRITE_ONLY", "constructor", new WriteOnlyConstructor("secret", 1)),
                notKept("WRITE_ONLY", "record", new WriteOnlyRecord("secret", 1)),
                notKept("WRITE_ONLY", "subclass", new WriteOnlySubclass("secret")),
                alike("@JsonIgnore, never set", "field", new IgnoredField(null)),
                notKept("@JsonIgnore", "field", new IgnoredField("secret")),
                notKept("@JsonIgnore", "getter", new IgnoredGetter("secret")),
                alike("@JsonIgnore", "getter without field", new IgnoredDerived(1)),
                notKept("@JsonIgnore", "constructor", new IgnoredConstructor("secret", 1)),
                notKept("@JsonIgnore", "record", new IgnoredRecord("secret", 1)),
                notKept("@JsonIgnore", "subclass", new IgnoredSubclass("secret")),
                notKept("@JsonIgnoreProperties", "class", with(new IgnoredByName(), it -> it.secret = "secret")),
                notKept("@JsonIgnoreType", "field", with(new HasIgnoredType(), it -> it.ignored = new Ignored())),
                notKept("@JsonIncludeProperties", "class", with(new IncludedByName(), it -> it.other = "a")),
                notKept("transient", "field", with(new TransientField(), it -> it.note = "a")),
                notKept("no accessor", "field", new HiddenField(7)),
                alike("no accessor, same in every instance", "field", new HiddenConstant()),
                alike("computed while it is written", "field", new Remembering("a")),
                alike("@JsonAutoDetect", "field", new DetectedFields(7)),
                alike("getter without field", "getter", new Derived(2)),
                notKept("getter without setter", "getter", new NoSetter(7)),
                alike("@JsonProperty", "getter and constructor", new NamedAccessors("a")),
                alike("@JsonProperty", "record", new NamedComponent("a")));
    }

    private static <T> T with(T value, Consumer<T> change) {
        change.accept(value);
        return value;
    }

    static class ReadOnlyField {
        @JsonProperty(access = Access.READ_ONLY)
        private @Nullable Long id;

        public @Nullable String name;

        public @Nullable Long getId() {
            return id;
        }
    }

    static class ReadOnlyGetter {
        private long id;

        ReadOnlyGetter() {}

        ReadOnlyGetter(long id) {
            this.id = id;
        }

        final void set(long value) {
            id = value;
        }

        @JsonProperty(access = Access.READ_ONLY)
        public long getId() {
            return id;
        }
    }

    static class ReadOnlyDerived {
        public int net = 3;

        @JsonProperty(access = Access.READ_ONLY)
        public int getGross() {
            return net * 2;
        }
    }

    static class ReadOnlyConstructor {
        private final @Nullable Long id;

        @JsonCreator
        ReadOnlyConstructor(@JsonProperty(value = "id", access = Access.READ_ONLY) @Nullable Long id) {
            this.id = id;
        }

        public @Nullable Long getId() {
            return id;
        }
    }

    record ReadOnlyRecord(
            @JsonProperty(access = Access.READ_ONLY) @Nullable
            Long id,

            String name) {}

    static class ReadOnlySubclass extends ReadOnlyGetter {
        public int own;

        ReadOnlySubclass() {
            super(1);
        }
    }

    @JsonIgnoreProperties(value = "id", allowGetters = true)
    static class AllowedGetters {
        public long id;
        public String name = "a";
    }

    @JsonIgnoreProperties(value = "id", allowGetters = true)
    record AllowedGettersRecord(@Nullable Long id, String name) {}

    static class WriteOnlyField {
        @JsonProperty(access = Access.WRITE_ONLY)
        public @Nullable String secret;

        public int count = 1;

        WriteOnlyField() {}

        WriteOnlyField(@Nullable String secret) {
            this.secret = secret;
        }
    }

    static class WriteOnlySetter {
        private @Nullable String secret;
        public int count = 1;

        WriteOnlySetter() {}

        WriteOnlySetter(String secret) {
            this.secret = secret;
        }

        public @Nullable String getSecret() {
            return secret;
        }

        @JsonProperty(access = Access.WRITE_ONLY)
        public void setSecret(String secret) {
            this.secret = secret;
        }
    }

    static class WriteOnlyConstructor {
        private final @Nullable String secret;
        public final int count;

        @JsonCreator
        WriteOnlyConstructor(
                @JsonProperty(value = "secret", access = Access.WRITE_ONLY) @Nullable String secret,
                @JsonProperty("count") int count) {
            this.secret = secret;
            this.count = count;
        }

        public @Nullable String getSecret() {
            return secret;
        }
    }

    record WriteOnlyRecord(
            @JsonProperty(access = Access.WRITE_ONLY) @Nullable
            String secret,

            int count) {}

    static class WriteOnlySubclass extends WriteOnlyField {
        public int own = 3;

        WriteOnlySubclass() {}

        WriteOnlySubclass(String secret) {
            super(secret);
        }
    }

    static class IgnoredField {
        @JsonIgnore
        public @Nullable String secret;

        public int count = 1;

        IgnoredField() {}

        IgnoredField(@Nullable String secret) {
            this.secret = secret;
        }
    }

    static class IgnoredGetter {
        private @Nullable String secret;
        public int count = 1;

        IgnoredGetter() {}

        IgnoredGetter(String secret) {
            this.secret = secret;
        }

        @JsonIgnore
        public @Nullable String getSecret() {
            return secret;
        }

        public void setSecret(String secret) {
            this.secret = secret;
        }
    }

    record IgnoredDerived(int count) {
        @JsonIgnore
        public boolean isPaid() {
            return count > 0;
        }
    }

    static class IgnoredConstructor {
        private final @Nullable String secret;
        public final int count;

        @JsonCreator
        IgnoredConstructor(@JsonProperty("secret") @Nullable String secret, @JsonProperty("count") int count) {
            this.secret = secret;
            this.count = count;
        }

        @JsonIgnore
        public @Nullable String getSecret() {
            return secret;
        }
    }

    record IgnoredRecord(@JsonIgnore @Nullable String secret, int count) {}

    static class IgnoredSubclass extends IgnoredField {
        public int own = 3;

        IgnoredSubclass() {}

        IgnoredSubclass(String secret) {
            super(secret);
        }
    }

    @JsonIgnoreProperties("secret")
    static class IgnoredByName {
        public @Nullable String secret;
        public int count = 1;
    }

    @JsonIgnoreType
    static class Ignored {
        public int count = 1;
    }

    static class HasIgnoredType {
        public @Nullable Ignored ignored;
        public int count = 1;
    }

    @JsonIncludeProperties("count")
    static class IncludedByName {
        public @Nullable String other;
        public int count = 1;
    }

    static class TransientField {
        private transient @Nullable String note;
        public int count = 1;
    }

    static class HiddenField {
        private int hidden;
        public int count = 1;

        HiddenField() {}

        HiddenField(int hidden) {
            this.hidden = hidden;
        }
    }

    static class HiddenConstant {
        private final Object lock = new Object();
        private final List<String> names = List.of("a");
        public int count = 1;
    }

    static class Remembering {
        private @Nullable String label;
        public String name = "";

        Remembering() {}

        Remembering(String name) {
            this.name = name;
        }

        public String getLabel() {
            if (label == null) {
                label = "<" + name + ">";
            }
            return label;
        }
    }

    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    static class DetectedFields {
        private int hidden;

        DetectedFields() {}

        DetectedFields(int hidden) {
            this.hidden = hidden;
        }
    }

    record Derived(int net) {
        public int getGross() {
            return net * 2;
        }
    }

    static class NoSetter {
        private int total;
        public int count = 1;

        NoSetter() {}

        NoSetter(int total) {
            this.total = total;
        }

        public int total() {
            return total;
        }

        public int getSum() {
            return total;
        }
    }

    static class NamedAccessors {
        private final String name;

        @JsonCreator
        NamedAccessors(@JsonProperty("full_name") String name) {
            this.name = name;
        }

        @JsonProperty("full_name")
        public String name() {
            return name;
        }
    }

    record NamedComponent(@JsonProperty("full_name") String name) {}
}
