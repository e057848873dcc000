package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Attempt;
import io.onefold.ConflictException;
import io.onefold.InProgressException;
import io.onefold.OperationFailedException;
import io.onefold.RejectedException;
import io.onefold.UnknownOutcomeException;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.annotation.AliasFor;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Annotated methods of ordinary beans. */
class CallsTest {
    private AnnotationConfigApplicationContext context;
    private Shop shop;

    @BeforeEach
    void start() {
        context = Context.inMemory(Shop.class, Outer.class);
        shop = context.getBean(Shop.class);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void the_same_key_runs_once_and_gets_the_same_answer() {
        Receipt first = shop.pay(new Order("o-1", 42));
        assertThat(shop.pay(new Order("o-1", 42))).isEqualTo(first);
        assertThat(shop.pay(new Order("o-2", 42))).isNotEqualTo(first);
        assertThat(shop.runs()).hasValue(2);
    }

    @Test
    void the_same_key_with_other_arguments_is_a_conflict_that_names_the_field() {
        shop.pay(new Order("o-1", 42));
        assertThatThrownBy(() -> shop.pay(new Order("o-1", 43)))
                .isInstanceOfSatisfying(
                        ConflictException.class,
                        e -> assertThat(e.fields())
                                .anySatisfy(field -> assertThat(field).contains("amount")));
        assertThat(shop.runs()).hasValue(1);
    }

    @Test
    void an_annotation_of_the_application_s_own_may_say_it() {
        assertThat(shop.refund("o-1")).isEqualTo(1);
        assertThat(shop.refund("o-1")).isEqualTo(1);
        assertThat(shop.refund("o-2")).isEqualTo(2);
        assertThat(context.getBean(IdempotentMethodRegistry.class).all())
                .extracting(IdempotentMethod::name)
                .contains("refund");
    }

    @Test
    void what_must_be_equal_can_be_said() {
        shop.rename("k", "a", "first");
        assertThat(shop.rename("k", "a", "second")).isEqualTo("first");
        assertThatThrownBy(() -> shop.rename("k", "b", "first")).isInstanceOf(ConflictException.class);
    }

    @Test
    void a_method_without_a_result_is_not_repeated() {
        shop.send("m-1");
        shop.send("m-1");
        assertThat(shop.runs()).hasValue(1);
    }

    @Test
    void a_primitive_comes_back_as_it_was() {
        assertThat(shop.count("c")).isEqualTo(1);
        assertThat(shop.count("c")).isEqualTo(1);
    }

    @Test
    void an_empty_optional_is_an_answer() {
        assertThat(shop.find("x", null)).isEmpty();
        assertThat(shop.find("x", null)).isEmpty();
        assertThat(shop.find("y", "there")).contains("there");
        assertThat(shop.find("y", "there")).contains("there");
        assertThat(shop.runs()).hasValue(2);
    }

    @Test
    void generic_results_come_back_with_their_types() {
        List<Map<String, Receipt>> first = shop.list("l");
        assertThat(shop.list("l")).isEqualTo(first);
        assertThat(shop.list("l").get(0).get("r")).isInstanceOf(Receipt.class);
        assertThat(shop.runs()).hasValue(1);
    }

    @Test
    void overloads_are_two_operations_when_they_are_named() {
        assertThat(shop.pay("o-1")).isEqualTo("by id");
        assertThat(shop.pay(new Order("o-1", 1))).isInstanceOf(Receipt.class);
    }

    @Test
    void futures_run_once_and_wait_for_each_other() throws Exception {
        CompletableFuture<Receipt> first = shop.later("f");
        CompletableFuture<Receipt> second = shop.later("f");
        assertThat(second).isNotDone();
        shop.released().complete(new Receipt("f", 1));
        assertThat(first.get(5, TimeUnit.SECONDS)).isEqualTo(new Receipt("f", 1));
        assertThat(second.get(5, TimeUnit.SECONDS)).isEqualTo(new Receipt("f", 1));
        assertThat(shop.runs()).hasValue(1);
    }

    @Test
    void a_mono_is_called_by_its_subscription() {
        Mono<Receipt> called = shop.mono("m");
        assertThat(shop.runs()).hasValue(0);
        Receipt first = called.block();
        assertThat(called.block()).isEqualTo(first);
        assertThat(shop.mono("m").block()).isEqualTo(first);
        assertThat(shop.runs()).hasValue(1);
    }

    @Test
    void an_empty_mono_is_an_answer() {
        assertThat(shop.nothing("n").blockOptional()).isEmpty();
        assertThat(shop.nothing("n").blockOptional()).isEmpty();
        assertThat(shop.runs()).hasValue(1);
    }

    @Test
    void a_subscriber_that_leaves_does_not_end_the_work() throws Exception {
        shop.slow("s").subscribe().dispose();
        shop.released().complete(new Receipt("s", 1));
        assertThat(shop.slow("s").block(Duration.ofSeconds(5))).isEqualTo(new Receipt("s", 1));
        assertThat(shop.runs()).hasValue(1);
    }

    @Test
    void a_flux_is_told_as_a_whole() {
        assertThat(shop.flux("x").collectList().block()).containsExactly(1, 2, 3);
        assertThat(shop.flux("x").collectList().block()).containsExactly(1, 2, 3);
        assertThat(shop.runs()).hasValue(1);
    }

    @Test
    void the_subscribers_context_reaches_the_work() {
        assertThat(shop.who("w").contextWrite(ctx -> ctx.put("user", "eve")).block())
                .isEqualTo("eve");
    }

    @Test
    void a_failure_that_says_nothing_is_unknown() {
        assertThatThrownBy(() -> shop.fail("k", new IllegalStateException("no")))
                .hasMessage("no");
        assertThatThrownBy(() -> shop.fail("k", new IllegalStateException("no")))
                .isInstanceOf(UnknownOutcomeException.class);
    }

    @Test
    void a_failure_that_may_be_retried_is() throws Exception {
        assertThatThrownBy(() -> shop.fail("k", new IOException("down"))).isInstanceOf(IOException.class);
        assertThat(shop.fail("k", null)).isEqualTo("done");
    }

    @Test
    void a_failure_that_is_the_answer_is_told_again() {
        assertThatThrownBy(() -> shop.fail("k", new UnsupportedOperationException("sold out")))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> shop.fail("k", null))
                .isInstanceOf(OperationFailedException.class)
                .hasMessageContaining("sold out");
    }

    @Test
    void duplicates_can_be_refused_with_a_message() {
        shop.submit("k");
        assertThatThrownBy(() -> shop.submit("k"))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("please wait");
    }

    @Test
    void a_duplicate_does_not_wait_longer_than_it_may() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Thread first = new Thread(() -> shop.hold("k", inside, go));
        first.start();
        assertThat(inside.await(5, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> shop.hold("k", inside, go)).isInstanceOf(InProgressException.class);
        go.countDown();
        first.join(5000);
        assertThat(shop.runs()).hasValue(1);
    }

    @Test
    void equal_content_within_the_window_is_one_request() {
        shop.vote(new Order("o", 1));
        shop.vote(new Order("o", 1));
        shop.vote(new Order("o", 2));
        assertThat(shop.runs()).hasValue(2);
    }

    @Test
    void scopes_keep_keys_apart() {
        shop.scoped("anna", "k");
        shop.scoped("bert", "k");
        shop.scoped("anna", "k");
        assertThat(shop.runs()).hasValue(2);
    }

    @Test
    void an_expression_that_fails_is_an_error_and_nothing_runs() {
        assertThatThrownBy(() -> shop.pay((Order) null))
                .isInstanceOf(KeyExpressionException.class)
                .hasMessageContaining("#order.id");
        assertThat(shop.runs()).hasValue(0);
    }

    @Test
    void a_key_that_is_missing_is_an_error_and_nothing_runs() {
        assertThatThrownBy(() -> shop.send(" ")).isInstanceOf(MissingKeyException.class);
        assertThatThrownBy(() -> shop.pay(new Order(null, 1))).isInstanceOf(MissingKeyException.class);
        assertThat(shop.runs()).hasValue(0);
    }

    @Test
    void a_key_that_is_not_needed_may_be_missing() {
        shop.perhaps(null);
        shop.perhaps(null);
        shop.perhaps("k");
        shop.perhaps("k");
        assertThat(shop.runs()).hasValue(3);
    }

    @Test
    void nested_calls_have_records_of_their_own_and_the_same_record_is_entered_once() {
        Outer outer = context.getBean(Outer.class);
        assertThat(outer.order("o-1")).isEqualTo(outer.order("o-1"));
        assertThat(shop.runs()).hasValue(1);
        assertThat(outer.again("k", 3)).isEqualTo("3 2 1 0");
    }

    @Test
    void a_future_begins_on_the_thread_of_its_caller() throws Exception {
        assertThat(shop.thread("t").get(5, TimeUnit.SECONDS))
                .isEqualTo(Thread.currentThread().getName());
    }

    @Test
    void forms_belong_to_what_a_key_stands_for() {
        LinkedMultiValueMap<String, String> form = new LinkedMultiValueMap<>();
        form.add("amount", "10");
        shop.form("k", form);
        LinkedMultiValueMap<String, String> other = new LinkedMultiValueMap<>();
        other.add("amount", "99");
        assertThatThrownBy(() -> shop.form("k", other)).isInstanceOf(ConflictException.class);
    }

    @Test
    void the_attempt_is_known_inside() {
        String child = shop.child("k");
        assertThat(child).isEqualTo(shop.child("k")).isNotBlank().doesNotContain("k-");
        assertThat(CurrentAttempt.get()).isNull();
    }

    record Order(@Nullable String id, int amount) {}

    record Receipt(String order, int number) {}

    /** As an application composes it. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @Idempotent(key = "#id")
    @interface OncePerId {
        @AliasFor(annotation = Idempotent.class, attribute = "operation")
        String value();
    }

    static class Shop {
        private final AtomicInteger runs = new AtomicInteger();
        private final CompletableFuture<Receipt> released = new CompletableFuture<>();

        AtomicInteger runs() {
            return runs;
        }

        CompletableFuture<Receipt> released() {
            return released;
        }

        @Idempotent(operation = "pay", key = "#order.id")
        Receipt pay(@Nullable Order order) {
            return new Receipt(
                    Objects.requireNonNull(Objects.requireNonNull(order).id()), runs.incrementAndGet());
        }

        @Idempotent(operation = "pay-by-id", key = "#p0")
        String pay(String id) {
            return "by id";
        }

        @OncePerId("refund")
        int refund(String id) {
            return runs.incrementAndGet();
        }

        @Idempotent(key = "#key", matching = "#name")
        String rename(String key, String name, String note) {
            return note;
        }

        @Idempotent(key = "#id")
        void send(String id) {
            runs.incrementAndGet();
        }

        @Idempotent(key = "#id")
        int count(String id) {
            return runs.incrementAndGet();
        }

        @Idempotent(key = "#id")
        Optional<String> find(String id, @Nullable String value) {
            runs.incrementAndGet();
            return Optional.ofNullable(value);
        }

        @Idempotent(key = "#id")
        List<Map<String, Receipt>> list(String id) {
            return List.of(Map.of("r", new Receipt(id, runs.incrementAndGet())));
        }

        @Idempotent(key = "#id")
        CompletableFuture<Receipt> later(String id) {
            runs.incrementAndGet();
            return released;
        }

        @Idempotent(key = "#id")
        Mono<Receipt> mono(String id) {
            return Mono.fromSupplier(() -> new Receipt(id, runs.incrementAndGet()));
        }

        @Idempotent(key = "#id")
        Mono<Receipt> slow(String id) {
            return Mono.fromFuture(() -> {
                runs.incrementAndGet();
                return released;
            });
        }

        @Idempotent(key = "#id")
        Mono<Void> nothing(String id) {
            return Mono.fromRunnable(runs::incrementAndGet);
        }

        @Idempotent(key = "#id")
        Flux<Integer> flux(String id) {
            return Flux.defer(() -> {
                runs.incrementAndGet();
                return Flux.just(1, 2, 3);
            });
        }

        @Idempotent(key = "#id")
        Mono<String> who(String id) {
            return Mono.deferContextual(ctx -> Mono.just(ctx.get("user")));
        }

        @Idempotent(
                key = "#id",
                matching = "''",
                retryOn = IOException.class,
                failOn = UnsupportedOperationException.class)
        String fail(String id, @Nullable Exception with) throws Exception {
            if (with != null) {
                throw with;
            }
            return "done";
        }

        @Idempotent(key = "#id", duplicates = DuplicatePolicy.REJECT, message = "please wait", keep = "10m")
        void submit(String id) {}

        @Idempotent(key = "#id", waitFor = "50ms", matching = "''")
        void hold(String id, CountDownLatch inside, CountDownLatch go) {
            runs.incrementAndGet();
            inside.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Idempotent(content = "#order", window = "1h", scope = "'all'")
        void vote(Order order) {
            runs.incrementAndGet();
        }

        @Idempotent(key = "#id", scope = "#user")
        void scoped(String user, String id) {
            runs.incrementAndGet();
        }

        @Idempotent(key = "#id", required = false)
        void perhaps(@Nullable String id) {
            runs.incrementAndGet();
        }

        @Idempotent(key = "#id")
        CompletableFuture<String> thread(String id) {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @Idempotent(key = "#id")
        void form(String id, MultiValueMap<String, String> form) {}

        @Idempotent(key = "#id")
        String child(String id) {
            Attempt attempt = Objects.requireNonNull(CurrentAttempt.get());
            return attempt.childKey("psp");
        }
    }

    static class Outer {
        private final Shop shop;
        private final ObjectProvider<Outer> self;

        Outer(Shop shop, ObjectProvider<Outer> self) {
            this.shop = shop;
            this.self = self;
        }

        @Idempotent(operation = "order", key = "#id")
        String order(String id) {
            return "ordered " + shop.pay(new Order(id, 1)).number();
        }

        @Idempotent(operation = "again", key = "#id", matching = "''")
        String again(String id, int left) {
            return left + (left == 0 ? "" : " " + self.getObject().again(id, left - 1));
        }
    }
}
