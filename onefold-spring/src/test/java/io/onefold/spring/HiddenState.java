package io.onefold.spring;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Payments whose card number Jackson reads, but does not write. */
@SuppressWarnings("ImmutableEnumChecker") // functions of constructors alone
public enum HiddenState {
    WRITE_ONLY(WriteOnly::new),
    IGNORED(Ignored::new),
    SETTER_ONLY(SetterOnly::new),
    CONSTRUCTOR_ONLY(ConstructorOnly::new),
    PRIVATE_FIELD(PrivateField::new),
    SUBCLASS(Subclass::new),
    NESTED(card -> new Nested(new WriteOnly(card))),
    LIST_ELEMENT(card -> new Listed(List.of(new WriteOnly(card)))),
    MAP_ELEMENT(card -> new Mapped(Map.of("main", new WriteOnly(card))));

    private final Function<String, Payment> made;

    HiddenState(Function<String, Payment> made) {
        this.made = made;
    }

    public Payment by(String card) {
        return made.apply(card);
    }

    /** What all of them tell. */
    public static class Payment {
        public int getAmount() {
            return 5;
        }
    }

    static class WriteOnly extends Payment {
        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        private String card;

        WriteOnly(String card) {
            this.card = card;
        }

        public String getCard() {
            return card;
        }

        public void setCard(String card) {
            this.card = card;
        }
    }

    static class Ignored extends Payment {
        @JsonIgnore
        public final String card;

        Ignored(String card) {
            this.card = card;
        }
    }

    @SuppressWarnings("unused")
    static class SetterOnly extends Payment {
        private String card = "";

        SetterOnly(String card) {
            setCard(card);
        }

        public final void setCard(String card) {
            this.card = card;
        }
    }

    @SuppressWarnings("unused")
    static class ConstructorOnly extends Payment {
        private final String number;

        @JsonCreator
        ConstructorOnly(@JsonProperty("card") String card) {
            this.number = card;
        }
    }

    @SuppressWarnings("unused")
    static class PrivateField extends Payment {
        private final String card;

        PrivateField(String card) {
            this.card = card;
        }
    }

    static class Subclass extends WriteOnly {
        Subclass(String card) {
            super(card);
        }

        public String getBank() {
            return "a bank";
        }
    }

    static class Nested extends Payment {
        private final Payment by;

        Nested(Payment by) {
            this.by = by;
        }

        public Payment getBy() {
            return by;
        }
    }

    static class Listed extends Payment {
        private final List<Payment> by;

        Listed(List<Payment> by) {
            this.by = by;
        }

        public List<Payment> getBy() {
            return by;
        }
    }

    static class Mapped extends Payment {
        private final Map<String, Payment> by;

        Mapped(Map<String, Payment> by) {
            this.by = by;
        }

        public Map<String, Payment> getBy() {
            return by;
        }
    }
}
