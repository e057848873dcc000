package io.onefold.payload.contract;

import static io.onefold.payload.contract.ResultRow.ExpectedOutcome.REFUSED;
import static io.onefold.payload.contract.ResultRow.alike;
import static io.onefold.payload.contract.ResultRow.notKept;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.onefold.TypeRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values whose class says more than the declared type. */
@SuppressWarnings("unused") // what nobody reads is what they are about
final class SubtypeRows {

    private SubtypeRows() {}

    static List<ResultRow> rows() {
        Car car = new Car();
        Holder holder = new Holder();
        holder.vehicle = car;
        return List.of(
                alike("own class", "result", car),
                notKept("subclass", "result", car).declared(Vehicle.class),
                notKept("subclass", "field", holder),
                notKept("subclass", "record", new Box(car)),
                notKept("subclass", "list", List.of(new Vehicle(), car)).declared(new TypeRef<List<Vehicle>>() {}),
                notKept("subclass", "map", Map.of("a", car)).declared(new TypeRef<Map<String, Vehicle>>() {}),
                notKept("subclass", "Optional", Optional.of(car)).declared(new TypeRef<Optional<Vehicle>>() {}),
                notKept("subclass", "array", new Vehicle[] {car}),
                notKept("subclass", "type variable", new Page<Vehicle>(List.of(car)))
                        .declared(new TypeRef<Page<Vehicle>>() {}),
                alike("declared class", "type variable", new Page<>(List.of(car)))
                        .declared(new TypeRef<Page<Car>>() {}),
                notKept("subclass without properties", "result", new Van()).declared(Vehicle.class),
                notKept("anonymous subclass", "result", new Vehicle() {}).declared(Vehicle.class),
                notKept("record", "Object", new Anything(new Box(new Vehicle()))),
                notKept("record", "map of Objects", Map.of("a", new Box(new Vehicle())))
                        .declared(new TypeRef<Map<String, Object>>() {}),
                notKept("long", "map of Objects", Map.of("a", 5L)).declared(new TypeRef<Map<String, Object>>() {}),
                alike("text, int, boolean, list, map", "map of Objects", untyped())
                        .declared(new TypeRef<Map<String, Object>>() {}),
                alike("@JsonTypeInfo(NAME)", "result", new Card("4242")).declared(Payment.class),
                alike("@JsonTypeInfo(NAME)", "list", List.of(new Card("4242"), new Cash(3)))
                        .declared(new TypeRef<List<Payment>>() {}),
                alike("@JsonTypeInfo(DEDUCTION)", "record", new Drawing(new Circle(3))),
                new ResultRow("@JsonTypeInfo(CLASS)", "record", new Openness(new Closed()), Openness.class, REFUSED),
                new ResultRow("interface", "record", new Vague("a"), Vague.class, REFUSED),
                alike("collection of one's own", "list", new Names(List.of("a")))
                        .declared(new TypeRef<List<String>>() {}),
                notKept("collection of one's own with a field", "result", new Names(List.of("a")).total(3)));
    }

    private static Map<String, Object> untyped() {
        Map<String, Object> map = new HashMap<>();
        map.put("text", "a");
        map.put("number", 5);
        map.put("boolean", true);
        map.put("list", List.of("a", Map.of("b", 1)));
        return map;
    }

    static class Vehicle {
        public int wheels = 4;
    }

    static class Car extends Vehicle {
        public int doors = 5;
    }

    static class Van extends Vehicle {}

    static class Holder {
        public @Nullable Vehicle vehicle;
    }

    record Box(Vehicle vehicle) {}

    record Page<T>(List<T> items) {}

    record Anything(Object thing) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Cash.class, name = "cash")
    })
    interface Payment {}

    record Card(String last4) implements Payment {}

    record Cash(int notes) implements Payment {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
    @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
    interface Figure {}

    record Circle(int radius) implements Figure {}

    record Square(int side) implements Figure {}

    record Drawing(Figure figure) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface Open {}

    record Closed() implements Open {}

    record Openness(Open open) {}

    interface Anyone {}

    record Named(String name) implements Anyone {}

    record Vague(Anyone anyone) {
        Vague(String name) {
            this(new Named(name));
        }
    }

    static class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        private int total;

        Names() {}

        Names(List<String> names) {
            super(names);
        }

        Names total(int value) {
            total = value;
            return this;
        }
    }
}
