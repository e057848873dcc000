package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.ConflictException;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.store.MemoryStore;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** What of a call must be equal under an equal key. */
class FingerprintsTest {
    private final MemoryStore store = new MemoryStore();

    @EnableIdempotent(proxyTargetClass = true)
    static class ByClass {}

    /** Each time another version of the application, on the same store. */
    private <B> String deployed(Class<B> type, Function<B, String> call) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(ByClass.class);
            context.registerBean(Onefold.class, () -> Onefold.on(store));
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource("test", Map.of("app.tenant", "acme", "app.field", "name")));
            context.register(type);
            context.refresh();
            return call.apply(context.getBean(type));
        }
    }

    record Order(String id, int amount) {}

    static class Before {
        @Idempotent(operation = "order", key = "#order.id")
        public String order(Order order, int count) {
            return "first";
        }

        @Idempotent(operation = "single", key = "#order.id")
        public String single(Order order) {
            return "first";
        }
    }

    static class After {
        @Idempotent(operation = "order", key = "#request.id")
        public String order(@Value("x") String traced, Order request, int pieces) {
            return "second";
        }

        @Idempotent(operation = "single", key = "#request.id")
        public String single(Order request) {
            return "second";
        }
    }

    @Test
    void names_of_arguments_are_no_part_of_it() {
        deployed(Before.class, before -> before.order(new Order("a", 1), 2));
        assertThat(deployed(After.class, after -> after.order("trace", new Order("a", 1), 2)))
                .isEqualTo("first");
        deployed(Before.class, before -> before.single(new Order("a", 1)));
        assertThat(deployed(After.class, after -> after.single(new Order("a", 1))))
                .isEqualTo("first");
    }

    @Test
    void a_conflict_names_the_field_of_an_only_argument_and_the_place_of_one_of_several() {
        deployed(Before.class, before -> before.single(new Order("a", 1)));
        assertThatThrownBy(() -> deployed(Before.class, before -> before.single(new Order("a", 2))))
                .isInstanceOfSatisfying(
                        ConflictException.class, e -> assertThat(e.fields()).containsExactly("amount"));
        deployed(Before.class, before -> before.order(new Order("a", 1), 2));
        assertThatThrownBy(() -> deployed(Before.class, before -> before.order(new Order("a", 2), 3)))
                .isInstanceOfSatisfying(
                        ConflictException.class,
                        e -> assertThat(e.fields()).containsExactly("argument-1.amount", "argument-2"));
    }

    @Target(ElementType.PARAMETER)
    @Retention(RetentionPolicy.RUNTIME)
    @Value("${trace}")
    @interface Trace {}

    interface Api {
        @PostMapping("/api")
        String inherited(@RequestHeader("X-Trace") String trace, @RequestBody String body);
    }

    @RestController
    static class Handler implements Api {
        @Override
        @Idempotent(operation = "inherited", key = "#body", scope = "'all'")
        public String inherited(String trace, String body) {
            return trace;
        }

        @PostMapping("/meta")
        @Idempotent(operation = "meta", key = "#body", scope = "'all'")
        public String meta(@Trace String trace, @RequestBody String body) {
            return trace;
        }
    }

    @Test
    void headers_are_no_part_of_it_wherever_they_are_said_to_be_headers() {
        deployed(Handler.class, handler -> {
            assertThat(handler.inherited("first", "b")).isEqualTo("first");
            assertThat(handler.inherited("second", "b")).isEqualTo("first");
            assertThat(handler.meta("first", "b")).isEqualTo("first");
            assertThat(handler.meta("second", "b")).isEqualTo("first");
            return "done";
        });
    }

    static class Reports {
        @Idempotent(operation = "of-zone", key = "#id")
        public String ofZone(String id, ZoneId zone) {
            return zone.getId();
        }

        @Idempotent(operation = "of-locale", key = "#id")
        public String ofLocale(String id, Locale locale) {
            return locale.toLanguageTag();
        }

        @Idempotent(operation = "of-time-zone", key = "#id")
        public String ofTimeZone(String id, TimeZone zone) {
            return zone.getID();
        }
    }

    /** Other beans hand them over because they mean them. */
    @Test
    void regions_are_part_of_what_a_service_is_asked_for() {
        deployed(Reports.class, reports -> {
            assertThat(reports.ofZone("a", ZoneId.of("Asia/Shanghai"))).isEqualTo("Asia/Shanghai");
            assertThat(reports.ofZone("a", ZoneId.of("Asia/Shanghai"))).isEqualTo("Asia/Shanghai");
            assertThatThrownBy(() -> reports.ofZone("a", ZoneId.of("Europe/Berlin")))
                    .isInstanceOf(ConflictException.class);
            assertThat(reports.ofLocale("a", Locale.GERMANY)).isEqualTo("de-DE");
            assertThat(reports.ofLocale("a", Locale.forLanguageTag("de-DE"))).isEqualTo("de-DE");
            assertThatThrownBy(() -> reports.ofLocale("a", Locale.FRANCE)).isInstanceOf(ConflictException.class);
            assertThat(reports.ofTimeZone("a", TimeZone.getTimeZone("Asia/Shanghai")))
                    .isEqualTo("Asia/Shanghai");
            assertThat(reports.ofTimeZone("a", TimeZone.getTimeZone("Asia/Shanghai")))
                    .isEqualTo("Asia/Shanghai");
            assertThatThrownBy(() -> reports.ofTimeZone("a", TimeZone.getTimeZone("Europe/Berlin")))
                    .isInstanceOf(ConflictException.class);
            return "done";
        });
    }

    @RestController
    static class Regional {
        @PostMapping("/regional")
        @Idempotent(operation = "regional", key = "#body", scope = "'all'")
        public String regional(@RequestBody String body, ZoneId zone, Locale locale, TimeZone old) {
            return zone + " " + locale + " " + old.getID();
        }
    }

    /** Spring takes them from headers of the request, or from the machine. */
    @Test
    void regions_are_no_part_of_what_a_handler_is_asked_for() {
        deployed(Regional.class, handler -> {
            String first = handler.regional("a", ZoneId.of("Asia/Shanghai"), Locale.CHINA, TimeZone.getTimeZone("PRC"));
            assertThat(handler.regional("a", ZoneId.of("Europe/Berlin"), Locale.GERMANY, TimeZone.getTimeZone("CET")))
                    .isEqualTo(first);
            return first;
        });
    }

    static class Placed {
        @Idempotent(
                operation = "placed",
                key = "#id",
                scope = "'${app.tenant}'",
                matching = "#all['${app.field}']",
                bizId = "'${app.tenant}-' + #id")
        public String run(String id, Map<String, String> all) {
            return String.valueOf(all.get("other"));
        }
    }

    @Test
    void placeholders_are_resolved_in_all_expressions() {
        deployed(Placed.class, placed -> {
            assertThat(placed.run("k", Map.of("name", "a", "other", "1"))).isEqualTo("1");
            assertThat(placed.run("k", Map.of("name", "a", "other", "2"))).isEqualTo("1");
            assertThatThrownBy(() -> placed.run("k", Map.of("name", "b", "other", "1")))
                    .isInstanceOf(ConflictException.class);
            return "done";
        });
        Onefold onefold = Onefold.on(store);
        assertThat(onefold.find(Operation.of("placed"), Key.of("k").in("acme"))).isPresent();
        assertThat(onefold.find(Operation.of("placed"), Key.of("k").in("${app.tenant}")))
                .isEmpty();
    }
}
