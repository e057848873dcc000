package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.payload.Fingerprint;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.support.GenericMessage;
import tools.jackson.databind.json.JsonMapper;

/** Two arguments that a method can tell apart have different fingerprints, and one that comes twice has one. */
class ArgumentStateTest {
    private static Fingerprint print(@Nullable Object value) {
        return print(value, Object.class);
    }

    private static Fingerprint print(@Nullable Object value, Class<?> declared) {
        return ArgumentFingerprinter.STANDARD.print(
                ArgumentStateTree.of(value, DeclaredType.of(ResolvableType.forClass(declared))));
    }

    private static void differ(@Nullable Object one, @Nullable Object other) {
        assertThat(print(one)).isNotEqualTo(print(other));
    }

    private static void same(@Nullable Object one, @Nullable Object other) {
        assertThat(print(one)).isEqualTo(print(other));
    }

    private static void refused(Object value, String... why) {
        assertThatThrownBy(() -> print(value))
                .isInstanceOf(NoFingerprintException.class)
                .hasMessageContainingAll(why);
    }

    @SuppressWarnings("unused")
    static class Base {
        private final String name;

        Base(String name) {
            this.name = name;
        }
    }

    @SuppressWarnings("unused")
    static class Derived extends Base {
        private final String name;

        Derived(String base, String name) {
            super(base);
            this.name = name;
        }
    }

    static class Sibling extends Base {
        Sibling(String name) {
            super(name);
        }
    }

    @Test
    void fields_of_superclasses_count_even_if_they_are_hidden_by_one_of_their_name() {
        same(new Derived("a", "b"), new Derived("a", "b"));
        differ(new Derived("a", "b"), new Derived("c", "b"));
        differ(new Derived("a", "b"), new Derived("a", "c"));
        differ(new Derived("a", "b"), new Derived("b", "a"));
    }

    enum Color {
        RED
    }

    enum Mood {
        RED
    }

    @Test
    void a_class_counts_where_its_declared_type_leaves_it_open_and_nowhere_else() {
        differ(new Base("a"), new Sibling("a"));
        differ(Color.RED, Mood.RED);
        differ(List.of(new Base("a")), List.of(new Sibling("a")));
        assertThat(print(new Base("a"), Base.class)).isEqualTo(print(Map.of("name", "a"), Map.class));
        assertThat(print(Color.RED, Color.class)).isEqualTo(print("RED", String.class));
        assertThat(print(new Base[] {new Base("a")}, Base[].class)).isEqualTo(print(List.of(Map.of("name", "a"))));
    }

    static class Basket extends ArrayList<String> {
        private static final long serialVersionUID = 1;
        final @Nullable String coupon;

        Basket(@Nullable String coupon, String... items) {
            super(List.of(items));
            this.coupon = coupon;
        }
    }

    record Place(int row, int seat) {}

    @Test
    void collections_count_by_their_elements_and_by_what_a_class_adds() {
        same(new Basket("ten", "a"), new Basket("ten", "a"));
        differ(new Basket("ten", "a"), new Basket("half", "a"));
        differ(new Basket("ten", "a"), new Basket("ten", "b"));
        same(List.of(1, 2), Arrays.asList(1, 2));
        differ(List.of(1, 2), List.of(2, 1));
        same(new LinkedHashSet<>(List.of(1, 2)), new LinkedHashSet<>(List.of(2, 1)));
        same(Map.of(new Place(1, 2), "a"), new HashMap<>(Map.of(new Place(1, 2), "a")));
        differ(Map.of(new Place(1, 2), "a"), Map.of(new Place(1, 3), "a"));
        differ(Map.of(1, "a"), Map.of(true, "a"));
        same(new char[] {'a'}, new char[] {'a'});
        differ(new int[][] {{1}, {2}}, new int[][] {{1, 2}});
        same(Optional.of("a"), "a");
        Map<@Nullable Object, Object> nothing = new HashMap<>();
        nothing.put(null, "a");
        differ(nothing, Map.of());
    }

    /** They are not equal to each other, so that a set may hold both. */
    @Test
    void elements_of_a_set_that_look_alike_are_as_many_as_they_are() {
        differ(Set.of(new Base("a")), new HashSet<>(List.of(new Base("a"), new Base("a"))));
    }

    @Test
    @SuppressWarnings({"JavaUtilDate", "UnnecessaryStringBuilder"}) // applications have them
    void values_of_the_jdk_count() {
        same(new Date(5), new Date(5));
        differ(new Date(5), new Date(6));
        differ(new java.sql.Timestamp(5), new java.sql.Timestamp(6));
        same(new java.sql.Date(5), new java.sql.Date(5));
        differ(Double.NaN, Double.POSITIVE_INFINITY);
        same(new BigDecimal("1.0"), new BigDecimal("1.00"));
        differ(Instant.EPOCH, Instant.MAX);
        differ(BitSet.valueOf(new long[] {1}), BitSet.valueOf(new long[] {2}));
        differ(Place.class, Base.class);
        same(new StringBuilder("a"), "a");
    }

    @SuppressWarnings("unused")
    static class Cached {
        final String text;
        private transient int hash;
        private transient String typed = "";

        Cached(String text) {
            this.text = text;
        }

        int hash() {
            hash = 31 * text.hashCode();
            return hash;
        }

        public void setTyped(String typed) {
            this.typed = typed;
        }
    }

    @Test
    void a_transient_field_is_a_cache_unless_it_has_a_setter() {
        Cached cached = new Cached("a");
        assertThat(cached.hash()).isNotZero();
        same(cached, new Cached("a"));
        cached.setTyped("b");
        differ(cached, new Cached("a"));
    }

    @Test
    void json_counts_by_what_it_says() {
        JsonMapper mapper = JsonMapper.shared();
        same(mapper.readTree("{\"a\":1,\"b\":[2]}"), mapper.readTree("{\"b\":[2.0],\"a\":1}"));
        differ(mapper.readTree("{\"a\":1}"), mapper.readTree("{\"a\":2}"));
    }

    @Test
    void a_message_counts_by_its_payload() {
        same(List.of(new GenericMessage<>("a")), List.of(new GenericMessage<>("a", Map.of("try", 2))));
        differ(List.of(new GenericMessage<>("a")), List.of(new GenericMessage<>("b")));
    }

    @SuppressWarnings("unused")
    static class Holder {
        @Nullable
        Object held;
    }

    @Test
    void what_cannot_be_compared_is_refused_by_its_place_and_class() {
        Holder holder = new Holder();
        holder.held = (Supplier<String>) () -> "a";
        refused(holder, "held", "is a function");
        holder.held = new ReentrantLock();
        refused(holder, "held", ReentrantLock.class.getName());
        holder.held = List.of(new ProxyFactory(new Base("a")).getProxy(), 1);
        refused(holder, "held[]", "is a proxy");
        holder.held = List.of(1).stream();
        refused(holder, "held", "only once");
        holder.held = holder;
        refused(holder, Holder.class.getName(), "holds itself");
        Set<Object> wide = new LinkedHashSet<>();
        Holder back = new Holder();
        back.held = wide;
        for (int i = 0; i < 1000; i++) {
            wide.add(List.of(i, back));
        }
        refused(wide, "holds itself");
    }

    record Tree(String name, List<Tree> branches) {}

    record Section(List<Block> blocks) {}

    record Block(List<Section> sections) {}

    @SuppressWarnings("unused")
    static class Chain {
        @Nullable
        Chain next;
    }

    @SuppressWarnings("unused")
    static class Node {
        @Nullable
        Node parent;

        List<Node> children = List.of();
    }

    @SuppressWarnings("unused")
    static class Order {
        List<Item> items = List.of();

        public List<Item> getItems() {
            return items;
        }
    }

    @SuppressWarnings("unused")
    static class Item {
        @Nullable
        Order order;
    }

    @SuppressWarnings("unused")
    static class Locked {
        Map<String, ReentrantLock> locks = Map.of();
    }

    @Test
    void types_whose_values_hold_themselves_are_refused_at_the_start_and_trees_are_not() {
        assertThatThrownBy(() -> ArgumentTypeCheck.check(ResolvableType.forClass(Order.class)))
                .hasMessageContainingAll("items[].order", Order.class.getName(), Item.class.getName());
        assertThatThrownBy(() -> ArgumentTypeCheck.check(ResolvableType.forClass(Node.class)))
                .hasMessageContaining(Node.class.getName());
        assertThatThrownBy(() -> ArgumentTypeCheck.check(ResolvableType.forClass(Locked.class)))
                .hasMessageContainingAll("locks[]", ReentrantLock.class.getName());
        for (Class<?> fit :
                List.of(Tree.class, Section.class, Chain.class, Holder.class, Basket.class, HiddenState.class)) {
            assertThatCode(() -> ArgumentTypeCheck.check(ResolvableType.forClass(fit)))
                    .doesNotThrowAnyException();
        }
        same(new Tree("a", List.of(new Tree("b", List.of()))), new Tree("a", List.of(new Tree("b", List.of()))));
    }
}
