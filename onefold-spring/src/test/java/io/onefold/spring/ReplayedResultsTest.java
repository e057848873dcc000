package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.onefold.ResultNotKeptException;
import io.onefold.payload.ResultSerializer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;

/** What a method returned is what duplicates get, or they hear that it was not kept. */
class ReplayedResultsTest {
    private static final ListAppender<ILoggingEvent> LOGGED = new ListAppender<>();
    private static AnnotationConfigApplicationContext context;
    private static final AtomicInteger RUNS = new AtomicInteger();
    private static Shop shop;

    @BeforeAll
    static void start() {
        LOGGED.start();
        Logger logger = (Logger) LoggerFactory.getLogger(ResultSerializer.class);
        logger.setLevel(Level.WARN);
        logger.addAppender(LOGGED);
        context = Context.onH2(Shop.class);
        shop = context.getBean(Shop.class);
    }

    @AfterAll
    static void stop() {
        Logger logger = (Logger) LoggerFactory.getLogger(ResultSerializer.class);
        logger.detachAppender(LOGGED);
        logger.setLevel(null);
        context.close();
    }

    private static List<String> logged() {
        return LOGGED.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void what_clients_may_not_set_is_replayed_as_it_was() {
        for (Function<String, Order> place : List.<Function<String, Order>>of(shop::joined, shop::leased)) {
            int before = RUNS.get();
            Order first = place.apply("read-only-" + before);
            Order second = place.apply("read-only-" + before);
            assertThat(RUNS.get() - before).isEqualTo(1);
            assertThat(second).isNotSameAs(first).usingRecursiveComparison().isEqualTo(first);
            assertThat(second.getId()).isEqualTo(17);
        }
    }

    @Test
    void an_entity_with_a_subclass_for_its_body_is_not_replayed_as_its_base() {
        assertThat(shop.entity("a").getBody()).isInstanceOf(Car.class);
        assertNotKept(() -> shop.entity("a"));
        assertThat(logged())
                .filteredOn(line -> line.contains("body") && line.contains("Car and is read back as a "))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("StoredResponseEntity", "Vehicle", "maxResultBytes(0)"));
    }

    @Test
    void a_list_with_a_subclass_in_it_is_not_replayed_as_its_base() {
        assertThat(shop.list("a")).hasOnlyElementsOfType(Car.class);
        assertNotKept(() -> shop.list("a"));
    }

    @Test
    void what_is_never_written_is_not_replayed_without_it_and_that_is_said_at_the_start() {
        assertThat(shop.secret("a").note).isEqualTo("for us");
        assertNotKept(() -> shop.secret("a"));
        assertThat(logged())
                .anyMatch(line ->
                        line.contains("Noted may not be kept: \"note\" of ") && line.contains("is not written"));
    }

    private static void assertNotKept(Runnable again) {
        int before = RUNS.get();
        assertThatExceptionOfType(ResultNotKeptException.class).isThrownBy(again::run);
        assertThatExceptionOfType(ResultNotKeptException.class).isThrownBy(again::run);
        assertThat(RUNS.get()).isEqualTo(before);
    }

    static class Order {
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        private @Nullable Long id;

        @JsonFormat(shape = JsonFormat.Shape.STRING)
        public @Nullable Long number;

        public @Nullable Long getId() {
            return id;
        }

        static Order made() {
            Order order = new Order();
            order.id = 17L;
            order.number = 9_007_199_254_740_993L;
            return order;
        }
    }

    static class Vehicle {
        public int wheels = 4;
    }

    static class Car extends Vehicle {
        public int doors = 5;
    }

    static class Noted {
        @JsonIgnore
        public @Nullable String note;

        public int count = 1;
    }

    static class Shop {
        @Idempotent(operation = "results.joined", key = "#key")
        @Transactional
        public Order joined(String key) {
            RUNS.incrementAndGet();
            return Order.made();
        }

        @Idempotent(operation = "results.leased", key = "#key")
        public Order leased(String key) {
            RUNS.incrementAndGet();
            return Order.made();
        }

        @Idempotent(operation = "results.entity", key = "#key")
        @Transactional
        public ResponseEntity<Vehicle> entity(String key) {
            RUNS.incrementAndGet();
            return ResponseEntity.ok(new Car());
        }

        @Idempotent(operation = "results.list", key = "#key")
        public List<Vehicle> list(String key) {
            RUNS.incrementAndGet();
            return List.of(new Car());
        }

        @Idempotent(operation = "results.secret", key = "#key")
        public Noted secret(String key) {
            RUNS.incrementAndGet();
            Noted noted = new Noted();
            noted.note = "for us";
            return noted;
        }
    }
}
