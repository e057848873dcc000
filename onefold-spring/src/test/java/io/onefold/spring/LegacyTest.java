package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.RejectedException;
import io.onefold.spring.legacy.Idempotent;
import io.onefold.store.MemoryStore;
import io.onefold.store.ResultPayload;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The annotation of those who changed their import. */
class LegacyTest {
    record Order(String orderId) {}

    static class Orders {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(tokenExpression = "#request.orderId", expireTime = 300, message = "订单正在处理中，请勿重复提交")
        public int create(Order request, @Nullable RuntimeException failure) {
            int run = runs.incrementAndGet();
            if (failure != null) {
                throw failure;
            }
            return run;
        }

        @Idempotent(tokenExpression = "#id")
        public int plain(String id) {
            return runs.incrementAndGet();
        }
    }

    @Test
    void a_duplicate_is_refused_with_the_message() {
        try (AnnotationConfigApplicationContext context = Context.inMemory(Orders.class)) {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.create(new Order("1"), null)).isEqualTo(1);
            assertThatThrownBy(() -> orders.create(new Order("1"), null))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("订单正在处理中，请勿重复提交");
            orders.plain("x");
            assertThatThrownBy(() -> orders.plain("x")).hasMessageContaining("请勿重复提交");
        }
    }

    static class Circles {
        @Idempotent(tokenExpression = "#id")
        public int run(String id, ArgumentStateTest.Order order) {
            return 1;
        }
    }

    /** There is no attribute that could say what else is to be compared. */
    @Test
    void where_arguments_have_no_fingerprint_the_token_alone_counts() {
        ArgumentStateTest.Order order = new ArgumentStateTest.Order();
        ArgumentStateTest.Item item = new ArgumentStateTest.Item();
        item.order = order;
        order.items = List.of(item);
        try (AnnotationConfigApplicationContext context = Context.inMemory(Circles.class)) {
            Circles circles = context.getBean(Circles.class);
            assertThat(circles.run("x", order)).isEqualTo(1);
            assertThatThrownBy(() -> circles.run("x", order)).isInstanceOf(RejectedException.class);
        }
    }

    @Test
    void after_a_failure_the_token_may_be_used_again() {
        try (AnnotationConfigApplicationContext context = Context.inMemory(Orders.class)) {
            Orders orders = context.getBean(Orders.class);
            IllegalStateException failure = new IllegalStateException("no");
            assertThatThrownBy(() -> orders.create(new Order("1"), failure)).isSameAs(failure);
            assertThatThrownBy(() -> orders.create(new Order("1"), failure)).isSameAs(failure);
        }
    }

    @Test
    void the_first_answer_is_returned_if_so_configured() {
        try (AnnotationConfigApplicationContext context = Context.inMemory(returningCachedResults(), Orders.class)) {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.plain("x")).isEqualTo(1);
            assertThat(orders.plain("x")).isEqualTo(1);
            IdempotentMethod method =
                    context.getBean(IdempotentMethodRegistry.class).all().get(1);
            assertThat(method.settings().keep()).isEqualTo(Duration.ofSeconds(60));
            assertThat(method.settings().waitFor()).isEqualTo(Duration.ofMillis(300));
        }
    }

    /** Whatever it returns, in the form of some applications' results. */
    interface Animal {}

    @RestController
    static class Uploads {
        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/any")
        @Idempotent(tokenExpression = "#id")
        public Object any(String id) {
            return "run " + runs.incrementAndGet();
        }

        @PostMapping("/emitter")
        @Idempotent(tokenExpression = "#id")
        public SseEmitter emitter(String id) {
            return new SseEmitter();
        }

        @Idempotent(tokenExpression = "#id")
        public Animal animal(String id) {
            return new Animal() {};
        }

        @PostMapping("/upload")
        @Idempotent(tokenExpression = "#id")
        public String upload(String id, MultipartFile file) {
            return "run " + runs.incrementAndGet();
        }

        @Idempotent(tokenExpression = "#id")
        public CompletableFuture<Animal> later(String id) {
            return CompletableFuture.completedFuture(new Animal() {});
        }
    }

    @Test
    void what_no_duplicate_is_told_need_not_be_kept() throws Exception {
        try (AnnotationConfigApplicationContext context = Context.inMemory(Uploads.class)) {
            Uploads uploads = context.getBean(Uploads.class);
            assertThat(uploads.animal("x")).isNotNull();
            assertThatThrownBy(() -> uploads.animal("x")).isInstanceOf(RejectedException.class);
            assertThat(uploads.later("x").get()).isNotNull();
            assertThatThrownBy(() -> uploads.later("x").join()).hasCauseInstanceOf(RejectedException.class);
            assertThat(context.getBean(Onefold.class)
                            .find(Operation.of("Uploads.animal"), Key.of("x"))
                            .map(StoredRecord::payload))
                    .hasValueSatisfying(payload -> assertThat(payload.kind()).isEqualTo(ResultPayload.Kind.NOT_KEPT));
        }
    }

    @Test
    void what_duplicates_are_told_must_be_kept() {
        assertThatThrownBy(() -> Context.inMemory(returningCachedResults(), Uploads.class))
                .hasStackTraceContaining("Uploads.");
    }

    static class Slow {
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);

        @Idempotent(tokenExpression = "#id", message = "订单正在处理中，请勿重复提交")
        public String create(String id) throws InterruptedException {
            started.countDown();
            return gate.await(30, TimeUnit.SECONDS) ? "done" : "the gate stayed closed";
        }

        public CountDownLatch started() {
            return started;
        }

        public CountDownLatch gate() {
            return gate;
        }
    }

    @Test
    void while_the_first_is_under_way_a_duplicate_hears_the_message_in_both_modes() throws Exception {
        for (Consumer<AnnotationConfigApplicationContext> mode :
                List.<Consumer<AnnotationConfigApplicationContext>>of(context -> {}, returningCachedResults())) {
            try (AnnotationConfigApplicationContext context = Context.inMemory(mode, Slow.class)) {
                Slow slow = context.getBean(Slow.class);
                CompletableFuture<String> first = CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return slow.create("1");
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        task -> new Thread(task).start());
                assertThat(slow.started().await(30, TimeUnit.SECONDS)).isTrue();

                assertThatThrownBy(() -> slow.create("1")).hasMessageContaining("订单正在处理中，请勿重复提交");

                slow.gate().countDown();
                assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("done");
            }
        }
    }

    /** As its users know it: those who wait detect the failure. */
    @Test
    void with_cached_results_those_who_wait_see_the_failure_of_the_first_and_run_nothing() throws Exception {
        LegacySettings patient = new LegacySettings(Duration.ofSeconds(60), true, Duration.ofSeconds(30));
        WaiterCountingStore store = new WaiterCountingStore(new MemoryStore());
        try (AnnotationConfigApplicationContext context =
                Context.on(store, with -> with.registerBean(LegacySettings.class, () -> patient), Failing.class)) {
            Failing failing = context.getBean(Failing.class);
            CompletableFuture<String> first = calledElsewhere(failing);
            assertThat(failing.started().await(30, TimeUnit.SECONDS)).isTrue();
            List<CompletableFuture<String>> waiters =
                    Stream.generate(() -> calledElsewhere(failing)).limit(5).toList();
            store.awaitWaiters(5);
            failing.gate().countDown();

            assertThatThrownBy(() -> first.get(30, TimeUnit.SECONDS)).hasCause(failing.failure());
            for (CompletableFuture<String> waiter : waiters) {
                assertThatThrownBy(() -> waiter.get(30, TimeUnit.SECONDS)).hasCause(failing.failure());
            }
            assertThat(failing.runs()).isEqualTo(1);
            assertThat(failing.create("1")).as("a call that comes later").isEqualTo("run 2");
        }
    }

    static class Failing {
        private final AtomicInteger runs = new AtomicInteger();
        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);
        private final IllegalStateException failure = new IllegalStateException("out of stock");

        @Idempotent(tokenExpression = "#id")
        public String create(String id) throws InterruptedException {
            int run = runs.incrementAndGet();
            started.countDown();
            if (run == 1 && gate.await(30, TimeUnit.SECONDS)) {
                throw failure;
            }
            return "run " + run;
        }

        public int runs() {
            return runs.get();
        }

        public CountDownLatch started() {
            return started;
        }

        public CountDownLatch gate() {
            return gate;
        }

        public IllegalStateException failure() {
            return failure;
        }
    }

    private static CompletableFuture<String> calledElsewhere(Failing failing) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return failing.create("1");
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    @Test
    void idempotent_properties_stand_between_those_of_the_operation_and_those_of_all() {
        OperationSettings all = OperationSettings.NONE
                .keep(Duration.ofDays(7))
                .duplicates(DuplicatePolicy.REPLAY)
                .lease(Duration.ofMinutes(1));
        OperationSettings plain = OperationSettings.NONE.keep(Duration.ofHours(1));
        OperationSettingsRegistry policies =
                new OperationSettingsRegistry(all, Map.of("Orders.plain", plain, "Orders.create", plain));
        try (AnnotationConfigApplicationContext context = Context.inMemory(
                with -> with.registerBean(OperationSettingsRegistry.class, () -> policies), Orders.class, Jobs.class)) {
            IdempotentMethodRegistry methods = context.getBean(IdempotentMethodRegistry.class);
            assertThat(settings(methods, "Orders.create").keep())
                    .as("the annotation")
                    .isEqualTo(Duration.ofMinutes(5));
            assertThat(settings(methods, "Orders.plain").keep())
                    .as("the operation")
                    .isEqualTo(Duration.ofHours(1));
            assertThat(settings(methods, "Jobs.nightly").keep())
                    .as("idempotent.*")
                    .isEqualTo(Duration.ofMinutes(5));
            assertThat(settings(methods, "Jobs.nightly").rejects()).isTrue();
            assertThat(settings(methods, "Jobs.nightly").lease()).as("all").isEqualTo(Duration.ofMinutes(1));
        }
    }

    private static OperationSettings settings(IdempotentMethodRegistry methods, String operation) {
        return methods.all().stream()
                .filter(method -> method.name().equals(operation))
                .findFirst()
                .orElseThrow()
                .settings();
    }

    static class Jobs {
        private final AtomicInteger runs = new AtomicInteger();

        @Scheduled(cron = "0 0 3 * * *")
        @Idempotent
        public int nightly() {
            return runs.incrementAndGet();
        }

        public int runs() {
            return runs.get();
        }
    }

    @Test
    void a_scheduled_job_without_an_expression_has_its_planned_time_for_a_token() {
        try (AnnotationConfigApplicationContext context = Context.inMemory(Jobs.class)) {
            Jobs jobs = context.getBean(Jobs.class);
            jobs.nightly();
            jobs.nightly();

            assertThat(jobs.runs()).isEqualTo(1);
            assertThat(context.getBean(IdempotentMethodRegistry.class)
                            .all()
                            .get(0)
                            .keyPlace())
                    .isEqualTo("planned time");
        }
    }

    private static Consumer<AnnotationConfigApplicationContext> returningCachedResults() {
        LegacySettings settings = new LegacySettings(Duration.ofSeconds(60), true, Duration.ofMillis(300));
        return with -> with.registerBean(LegacySettings.class, () -> settings);
    }
}
