package io.onefold.spring.boot;

import static io.onefold.spring.boot.ReactiveShopTest.REACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.onefold.http.BodyRules;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Import;
import org.springframework.http.RequestEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Bodies of handlers that claim for themselves: all that was sent counts, whether or not Jackson would write it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HandlerPayloadsTest {
    private final Running servlet = Running.start(Till.class);
    private final Running reactive = Running.start(ReactiveTill.class, REACTIVE, "--onefold.store=memory");

    /** Less than what WebFlux would refuse by itself. */
    private static final int MAX = 100_000;

    static class Limits implements HttpContractCustomizer {
        @Override
        public void customize(HttpContract.Builder contract) {
            contract.defaults(HttpPolicy.unchanged().body(BodyRules.standard().max(MAX)));
        }
    }

    @AfterAll
    void stop() {
        servlet.close();
        reactive.close();
    }

    /** What is sent beside the id; the card is written nowhere. */
    private static final Map<String, String> STATES = Map.of(
            "write-only", "{'card':'%s'}",
            "setter-only", "{'pin':'%s'}",
            "constructor-only", "{'code':'%s'}",
            "subclass", "{'by':{'kind':'bank','iban':'%s'}}",
            "nested", "{'by':{'kind':'card','number':'%s'}}",
            "list", "{'all':[{'kind':'card','number':'%s'}]}",
            "map", "{'named':{'main':{'kind':'card','number':'%s'}}}");

    private static final List<String> SERVLET = List.of("/key", "/joined", "/retried", "/entity");
    private static final List<String> REACTOR = List.of("/key", "/retried", "/entity");

    static Stream<Arguments> keyed() {
        return STATES.keySet().stream()
                .flatMap(state -> Stream.concat(
                        SERVLET.stream().map(path -> Arguments.of(false, path, state)),
                        REACTOR.stream().map(path -> Arguments.of(true, path, state))));
    }

    private static String body(String id, String state, String secret) {
        String rest =
                Objects.requireNonNull(STATES.get(state)).formatted(secret).replace('\'', '"');
        return "{\"id\":\"" + id + "\"," + rest.substring(1);
    }

    private Running till(boolean flux) {
        return flux ? reactive : servlet;
    }

    private static boolean isReplay(HttpResponse<String> answer) {
        return answer.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    @ParameterizedTest
    @MethodSource("keyed")
    void another_body_under_one_key_is_refused_and_names_what_differs(boolean flux, String path, String state)
            throws Exception {
        String id = UUID.randomUUID().toString();
        HttpResponse<String> first = till(flux).post(path, id, body(id, state, "4111"));
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        HttpResponse<String> again = till(flux).post(path, id, body(id, state, "4111"));
        assertThat(isReplay(again)).as(again.body()).isTrue();
        assertThat(again.body()).isEqualTo(first.body());
        HttpResponse<String> other = till(flux).post(path, id, body(id, state, "5500"));
        assertThat(other.statusCode()).as(other.body()).isEqualTo(422);
        assertThat(other.body()).contains("key-reused").contains("\"body.");
    }

    static Stream<Arguments> contents() {
        return STATES.keySet().stream()
                .flatMap(state -> Stream.of(Arguments.of(false, state), Arguments.of(true, state)));
    }

    @ParameterizedTest
    @MethodSource("contents")
    void other_content_is_another_request(boolean flux, String state) throws Exception {
        String id = UUID.randomUUID().toString();
        HttpResponse<String> first = till(flux).post("/content", "", body(id, state, "4111"));
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(till(flux).post("/content", "", body(id, state, "4111")).body())
                .isEqualTo(first.body());
        HttpResponse<String> other = till(flux).post("/content", "", body(id, state, "5500"));
        assertThat(other.statusCode()).as(other.body()).isEqualTo(200);
        assertThat(other.body()).isNotEqualTo(first.body());
    }

    static Stream<Arguments> paths() {
        return Stream.concat(
                SERVLET.stream().map(path -> Arguments.of(false, path)),
                REACTOR.stream().map(path -> Arguments.of(true, path)));
    }

    @ParameterizedTest
    @MethodSource("paths")
    void a_retry_may_spell_its_body_otherwise_but_not_say_more(boolean flux, String path) throws Exception {
        String id = UUID.randomUUID().toString();
        till(flux).post(path, id, "{\"id\":\"" + id + "\",\"card\":\"4111\",\"unknown\":1}");
        HttpResponse<String> spelled =
                till(flux).post(path, id, " {\"unknown\":1.0,\"card\":\"\\u0034111\", \"id\":\"" + id + "\"}\n ");
        assertThat(isReplay(spelled)).as(spelled.body()).isTrue();
        HttpResponse<String> more =
                till(flux).post(path, id, "{\"id\":\"" + id + "\",\"card\":\"4111\",\"unknown\":2}");
        assertThat(more.statusCode()).isEqualTo(422);
        assertThat(more.body()).contains("body.unknown");
        HttpResponse<String> query =
                till(flux).post(path + "?a=1", id, "{\"id\":\"" + id + "\",\"card\":\"4111\",\"unknown\":1}");
        assertThat(query.statusCode()).isEqualTo(422);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void what_is_too_large_to_compare_is_refused_before_anything_is_run(boolean flux, String path) throws Exception {
        int ran = runs(flux);
        String id = UUID.randomUUID().toString();
        String body = "{\"id\":\"" + id + "\",\"card\":\"" + "4".repeat(MAX) + "\"}";
        HttpResponse<String> answer = till(flux).post(path, id, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(413);
        assertThat(answer.body()).contains("body-too-large");
        assertThat(runs(flux)).isEqualTo(ran);
    }

    private int runs(boolean flux) {
        return (flux ? ReactiveTill.RUNS : Till.RUNS).get();
    }

    @Test
    void a_body_that_is_not_there_is_one_too() throws Exception {
        HttpResponse<String> first = servlet.post("/optional", "nothing", "");
        HttpResponse<String> again = servlet.post("/optional", "nothing", "");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(isReplay(again)).isTrue();
        assertThat(servlet.post("/optional", "nothing", "{\"id\":\"x\"}").statusCode())
                .isEqualTo(422);
    }

    /** Somebody's entity, say: it refers to itself, and nobody looks at it. */
    @Test
    void a_body_is_compared_whatever_is_made_of_it() throws Exception {
        String id = UUID.randomUUID().toString();
        HttpResponse<String> first = servlet.post("/circle", id, "{\"id\":\"" + id + "\"}");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(isReplay(servlet.post("/circle", id, "{\"id\":\"" + id + "\"}")))
                .isTrue();
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Bank.class, name = "bank")
    })
    abstract static class Means {}

    static class Card extends Means {
        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public String number = "";
    }

    static class Bank extends Means {
        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public String iban = "";
    }

    static class Payment {
        public final String id;
        private final @Nullable String secretCode;

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public @Nullable String card;

        private @Nullable String hidden;
        public @Nullable Means by;
        public List<Means> all = List.of();
        public Map<String, Means> named = Map.of();

        @JsonCreator
        Payment(@JsonProperty("id") String id, @JsonProperty("code") @Nullable String code) {
            this.id = id;
            this.secretCode = code;
        }

        public void setPin(String pin) {
            this.hidden = pin;
        }

        /** What a handler does with it. */
        @JsonIgnore
        String charged() {
            return id + secretCode + card + hidden;
        }
    }

    static class Circle {
        public String id = "";

        @JsonIgnore
        public final Circle self = this;
    }

    @Application
    @Import({Till.Handlers.class, Limits.class})
    static class Till {
        static final AtomicInteger RUNS = new AtomicInteger();

        @RestController
        static class Handlers {
            private static String charge(@Nullable Payment payment) {
                return "charged " + RUNS.incrementAndGet()
                        + (payment == null ? "" : payment.charged().length());
            }

            @PostMapping("/key")
            @Idempotent(key = "#payment.id")
            public String key(@RequestBody Payment payment) {
                return charge(payment);
            }

            @PostMapping("/joined")
            @Idempotent
            @Transactional
            public String joined(@RequestBody Payment payment) {
                return charge(payment);
            }

            @PostMapping("/retried")
            @Idempotent(retryOn = IllegalStateException.class)
            public String retried(@RequestBody Payment payment) {
                return charge(payment);
            }

            @PostMapping("/entity")
            @Idempotent(retryOn = IllegalStateException.class)
            public String entity(RequestEntity<Payment> payment) {
                return charge(payment.getBody());
            }

            @PostMapping("/optional")
            @Idempotent(retryOn = IllegalStateException.class)
            public String optional(@RequestBody(required = false) @Nullable Payment payment) {
                return charge(payment);
            }

            @PostMapping("/circle")
            @Idempotent(retryOn = IllegalStateException.class)
            public String circle(@RequestBody Circle circle) {
                return charge(null) + circle.id;
            }

            @PostMapping("/content")
            @Idempotent(content = "#payment", window = "1h")
            public String content(@RequestBody Payment payment) {
                return charge(payment);
            }
        }
    }

    @ReactiveApplication
    @Import({ReactiveTill.Handlers.class, Limits.class})
    static class ReactiveTill {
        static final AtomicInteger RUNS = new AtomicInteger();

        @RestController
        static class Handlers {
            private static Mono<String> charge(@Nullable Payment payment) {
                return Mono.fromCallable(() -> "charged " + RUNS.incrementAndGet()
                        + (payment == null ? "" : payment.charged().length()));
            }

            @PostMapping("/key")
            @Idempotent(key = "#payment.id")
            public Mono<String> key(@RequestBody Payment payment) {
                return charge(payment);
            }

            @PostMapping("/retried")
            @Idempotent(retryOn = IllegalStateException.class)
            public Mono<String> retried(@RequestBody Payment payment) {
                return charge(payment);
            }

            @PostMapping("/entity")
            @Idempotent(retryOn = IllegalStateException.class)
            public Mono<String> entity(RequestEntity<Payment> payment) {
                return charge(payment.getBody());
            }

            @PostMapping("/content")
            @Idempotent(content = "#payment", window = "1h")
            public Mono<String> content(@RequestBody Payment payment) {
                return charge(payment);
            }
        }
    }
}
