package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.UnknownOutcomeException;
import io.onefold.http.ReplayHeader;
import io.onefold.spring.webflux.IdempotencyWebFilter;
import io.onefold.spring.webflux.ReactiveRequestResolver;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ReactiveTypeDescriptor;
import org.springframework.core.io.AbstractResource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Controller;
import org.springframework.ui.ModelMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What is told when an application starts, and what its configuration changes. */
class StartTest {

    private static void refused(Class<?> bean, String... parts) {
        assertThatThrownBy(() -> Context.inMemory(bean)).satisfies(thrown -> {
            Throwable cause = thrown;
            while (cause.getCause() != null
                    && !String.valueOf(cause.getMessage()).contains(parts[0])) {
                cause = cause.getCause();
            }
            assertThat(cause.getMessage()).contains(parts);
        });
    }

    static class NoKey {
        @Idempotent
        public void run(String id) {}
    }

    @Test
    void a_method_that_does_not_say_its_key() {
        refused(NoKey.class, "NoKey.run does not say what its key is");
    }

    static class Early {
        @Idempotent(key = "#id")
        public void run(String id) {}

        @Bean
        static First needsIt(Early early) {
            return new First();
        }
    }

    static class First implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class EarlierStill {
        @Idempotent(key = "#id")
        public void run(String id) {}

        @Bean
        static BeanFactoryPostProcessor needsIt(EarlierStill early) {
            return beans -> {};
        }
    }

    @Test
    void a_bean_that_is_made_before_it_can_be_wrapped() {
        refused(Early.class, "Early.run, but was made too early to be protected");
        refused(EarlierStill.class, "EarlierStill.run, but was made too early to be protected");
    }

    static class TwoKeys {
        @Idempotent(key = "#id", header = "X-Key")
        public void run(String id) {}
    }

    @Test
    void two_places_for_one_key() {
        refused(
                TwoKeys.class,
                "TwoKeys.run takes its key from",
                "one of key, header, parameter and content is allowed");
    }

    static class Broken {
        @Idempotent(key = "#id +")
        public void run(String id) {}
    }

    static class Unknown {
        @Idempotent(key = "#ident")
        public void run(String id) {}
    }

    @Test
    void expressions_that_cannot_be() {
        refused(Broken.class, "Broken.run: key \"#id +\" is no expression");
        refused(Unknown.class, "names #ident, which is no argument; there are [id, p0, a0]");
    }

    static class NoDuration {
        @Idempotent(key = "#id", keep = "soon")
        public void run(String id) {}
    }

    @Test
    void a_duration_that_is_none() {
        refused(NoDuration.class, "NoDuration.run: keep \"soon\" is no duration");
    }

    static class Contradiction {
        @Idempotent(key = "#id", duplicates = DuplicatePolicy.REJECT, waitFor = "2s")
        public void run(String id) {}
    }

    static class Windowless {
        @Idempotent(content = "#id")
        public void run(String id) {}
    }

    @Test
    void contradictions() {
        refused(Contradiction.class, "rejects duplicates, which leaves nothing to wait for, but waitFor is 2s");
        refused(Windowless.class, "window");
    }

    static class Twice {
        @Idempotent(operation = "same", key = "#id")
        public void one(String id) {}

        @Idempotent(operation = "same", key = "#id")
        public void other(String id) {}
    }

    static class Overloads {
        @Idempotent(key = "#p0")
        public void run(String id) {}

        @Idempotent(key = "#p0")
        public void run(Integer id) {}
    }

    @Test
    void one_name_for_two_methods() {
        refused(Twice.class, "the operation \"same\" is both", "one(", "other(");
        refused(Overloads.class, "the operation \"Overloads.run\" is both");
    }

    abstract static class Base {
        @Idempotent(operation = "inherited", key = "#id")
        public void run(String id) {}
    }

    static class One extends Base {}

    static class Another extends Base {}

    @Test
    void one_name_for_two_classes() {
        assertThatThrownBy(() -> Context.inMemory(One.class, Another.class))
                .hasMessageContaining("the operation \"inherited\" is both");
    }

    static class Uploads {
        @Idempotent(key = "#id")
        public void run(String id, InputStream body) {}
    }

    static class Votes {
        @Idempotent(content = "#id", window = "1m")
        public void run(String id) {}
    }

    @Test
    void what_could_not_be_told_apart() {
        refused(Uploads.class, "has the argument body, which can be read only once");
        refused(Votes.class, "takes its key from content, but does not say whose it is");
    }

    static class Final {
        @Idempotent(key = "#id")
        public final void run(String id) {}
    }

    @Test
    void a_method_whose_calls_cannot_be_seen() {
        refused(Final.class, "Final.run cannot be made safe to repeat, because it is final");
    }

    static class Rate {
        @Scheduled(fixedRate = 1000)
        @Idempotent
        public void run() {}
    }

    @Test
    void a_job_without_planned_times() {
        refused(Rate.class, "Rate.run has no planned times that could be its keys");
    }

    static class Streaming {
        @Idempotent(key = "#id")
        public Stream<String> run(String id) {
            return Stream.of();
        }
    }

    @Test
    void an_answer_that_cannot_be_kept() {
        refused(Streaming.class, "Streaming.run returns a Stream<String>, which cannot be kept");
    }

    static class Later {
        @Idempotent(key = "#id")
        public CompletableFuture<ResponseEntity<ByteArrayResource>> run(String id) {
            return new CompletableFuture<>();
        }
    }

    static class Perhaps {
        @Idempotent(key = "#id")
        public Flux<Optional<String>> run(String id) {
            return Flux.empty();
        }
    }

    static class Entities {
        @Idempotent(key = "#id")
        public Flux<ResponseEntity<String>> run(String id) {
            return Flux.empty();
        }
    }

    static class LaterStill {
        @Idempotent(key = "#id")
        public Mono<ResponseEntity<Flux<String>>> run(String id) {
            return Mono.empty();
        }
    }

    static class Numbers {
        @Idempotent(key = "#id")
        public Optional<IntStream> run(String id) {
            return Optional.empty();
        }
    }

    static class Modelled {
        @Idempotent(key = "#id")
        public ModelMap run(String id) {
            return new ModelMap();
        }
    }

    @Test
    void an_answer_that_cannot_be_kept_however_it_is_wrapped() {
        refused(Later.class, "Later.run returns a CompletableFuture<ResponseEntity<ByteArrayResource>>, which");
        refused(LaterStill.class, "LaterStill.run returns a Mono<ResponseEntity<Flux<String>>>, which");
        refused(Perhaps.class, "Perhaps.run returns a Flux<Optional<String>>, which");
        refused(Entities.class, "Entities.run returns a Flux<ResponseEntity<String>>, which");
        refused(Numbers.class, "Numbers.run returns a Optional<IntStream>, which");
        refused(Modelled.class, "Modelled.run returns a ModelMap, which");
    }

    static class Flowing {
        @Idempotent(key = "#id")
        public Flow.Publisher<String> run(String id) {
            return subscriber -> {};
        }
    }

    static class FlowingInside {
        @Idempotent(key = "#id")
        public CompletableFuture<Flow.Publisher<String>> run(String id) {
            return new CompletableFuture<>();
        }
    }

    static class FlowingOnce {
        @Idempotent(key = "#id", duplicates = DuplicatePolicy.REJECT)
        public Flow.Publisher<String> run(String id) {
            return subscriber -> {};
        }
    }

    /** A type of a library's that Spring can subscribe to, as it can to a Single of RxJava or a Uni of Mutiny. */
    static class Promised<T> {}

    static class Promises {
        @Idempotent(key = "#id")
        public Promised<String> run(String id) {
            return new Promised<>();
        }
    }

    static class PromisesOnce {
        @Idempotent(key = "#id", duplicates = DuplicatePolicy.REJECT)
        public Optional<Promised<String>> run(String id) {
            return Optional.empty();
        }
    }

    @Test
    void an_answer_that_would_be_recorded_before_it_is_made() {
        ReactiveAdapterRegistry.getSharedInstance()
                .registerReactiveType(
                        ReactiveTypeDescriptor.singleOptionalValue(Promised.class, Promised::new),
                        promised -> Mono.empty(),
                        publisher -> new Promised<>());
        refused(Flowing.class, "Flowing.run returns a Flow$Publisher<String>, which runs only after it was returned");
        refused(
                FlowingInside.class,
                "FlowingInside.run returns a CompletableFuture<Flow$Publisher<String>>, which runs");
        refused(FlowingOnce.class, "FlowingOnce.run returns a Flow$Publisher<String>, which runs");
        refused(Promises.class, "Promises.run returns a StartTest$Promised<String>, which runs");
        refused(PromisesOnce.class, "PromisesOnce.run returns a Optional<StartTest$Promised<String>>, which runs");
    }

    static class Undeclared {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(key = "#id")
        public Object run(String id) {
            return Mono.fromSupplier(runs::incrementAndGet);
        }
    }

    @Test
    void an_answer_that_only_turns_out_to_be_made_later() {
        try (AnnotationConfigApplicationContext context = Context.inMemory(Undeclared.class)) {
            Undeclared undeclared = context.getBean(Undeclared.class);
            assertThatThrownBy(() -> undeclared.run("k"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Undeclared.run has returned a MonoSupplier, which runs");
            assertThatThrownBy(() -> undeclared.run("k")).isInstanceOf(UnknownOutcomeException.class);
        }
    }

    @Controller
    static class Rendering {
        @PostMapping("/render")
        @Idempotent(key = "#id", scope = "'all'")
        public String run(String id, RedirectAttributes model) {
            return "page";
        }
    }

    @Controller
    static class Untyped {
        @PostMapping("/untyped")
        @Idempotent(key = "#id", scope = "'all'")
        public HttpEntity<String> run(String id) {
            return new HttpEntity<>("page");
        }
    }

    @Test
    void a_handler_that_says_more_than_it_returns() {
        refused(Rendering.class, "has the response, or its model, for an argument");
        refused(Untyped.class, "is declared to return HttpEntity");
    }

    static class Attached {
        @Idempotent(key = "#id")
        public void run(String id, List<MultipartFile> files) {}
    }

    static class Loaded {
        @Idempotent(key = "#id")
        public void run(String id, Map<String, Own[]> files) {}

        abstract static class Own extends AbstractResource {}
    }

    static class Circular {
        @Idempotent(key = "#id")
        public void run(String id, ArgumentStateTest.Order order) {}
    }

    static class CircularContent {
        @Idempotent(content = "#id", window = "1m", scope = "'all'")
        public void run(String id, List<ArgumentStateTest.Order> order) {}
    }

    static class Matched {
        @Idempotent(key = "#id", matching = "#order.items.size()")
        public void run(String id, ArgumentStateTest.Order order) {}
    }

    @Test
    void what_holds_itself_unless_matching_says_what_counts() {
        refused(Circular.class, "its argument order", "items[].order", "refer to each other", "matching");
        refused(CircularContent.class, "its argument order", "refer to each other", "matching");
        Context.inMemory(Matched.class).close();
    }

    @Test
    void what_can_be_read_only_once_wherever_it_is_held() {
        refused(Attached.class, "has the argument files, which can be read only once");
        refused(Loaded.class, "has the argument files, which can be read only once");
    }

    @Test
    void in_shadow_everything_starts() {
        OperationSettingsRegistry policies =
                new OperationSettingsRegistry(OperationSettings.NONE.shadow(true), Map.of());
        for (Class<?> bean : List.of(Streaming.class, Later.class, Rendering.class, Untyped.class, Attached.class)) {
            try (AnnotationConfigApplicationContext context = Context.inMemory(
                    with -> with.registerBean(OperationSettingsRegistry.class, () -> policies), bean)) {
                IdempotentMethodRegistry methods = context.getBean(IdempotentMethodRegistry.class);
                assertThat(methods.all()).hasSize(1);
                // what would not start without the shadow is not let out of it either
                assertThatThrownBy(() -> methods.with(new OperationSettingsRegistry(OperationSettings.NONE, Map.of())))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    static class Configured {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(operation = "a", key = "#id", keep = "1h")
        public void annotated(String id) {}

        @Idempotent(operation = "b", key = "#id")
        public int plain(String id) {
            return runs.incrementAndGet();
        }
    }

    @Test
    void the_annotation_counts_before_the_operation_before_all() {
        OperationSettingsRegistry policies = new OperationSettingsRegistry(
                OperationSettings.NONE.keep(Duration.ofHours(3)).maxAttempts(7),
                Map.of(
                        "a", OperationSettings.NONE.keep(Duration.ofHours(2)),
                        "b", OperationSettings.NONE.keep(Duration.ofHours(2))));
        try (AnnotationConfigApplicationContext context = Context.inMemory(
                with -> with.registerBean(OperationSettingsRegistry.class, () -> policies), Configured.class)) {
            List<IdempotentMethod> methods =
                    context.getBean(IdempotentMethodRegistry.class).all();
            assertThat(methods.get(0).settings().keep()).isEqualTo(Duration.ofHours(1));
            assertThat(methods.get(1).settings().keep()).isEqualTo(Duration.ofHours(2));
            policies.replace(OperationSettings.NONE.keep(Duration.ofHours(3)), Map.of());
            assertThat(methods.get(1).settings().keep()).isEqualTo(Duration.ofHours(3));
        }
    }

    @Test
    void policies_that_are_replaced_hold_from_the_next_call_on() {
        OperationSettingsRegistry policies = new OperationSettingsRegistry(OperationSettings.NONE, Map.of());
        try (AnnotationConfigApplicationContext context = Context.inMemory(
                with -> with.registerBean(OperationSettingsRegistry.class, () -> policies), Configured.class)) {
            Configured bean = context.getBean(Configured.class);
            assertThat(bean.plain("k")).isEqualTo(bean.plain("k"));
            policies.replace(
                    OperationSettings.NONE.duplicates(DuplicatePolicy.REJECT).message("enough"), Map.of());
            assertThatThrownBy(() -> bean.plain("k")).hasMessageContaining("enough");
        }
    }

    @Test
    void in_the_shadow_everything_runs() {
        OperationSettingsRegistry policies =
                new OperationSettingsRegistry(OperationSettings.NONE.shadow(true), Map.of());
        try (AnnotationConfigApplicationContext context = Context.inMemory(
                with -> with.registerBean(OperationSettingsRegistry.class, () -> policies), Configured.class)) {
            Configured bean = context.getBean(Configured.class);
            assertThat(bean.plain("k")).isEqualTo(1);
            assertThat(bean.plain("k")).isEqualTo(2);
            assertThat(bean.plain("")).isEqualTo(3);
            policies.replace(OperationSettings.NONE, Map.of());
            // what was observed answers nobody
            assertThat(bean.plain("k")).isEqualTo(4);
            assertThat(bean.plain("k")).isEqualTo(4);
        }
    }

    /** As in WebFlux, where only handlers are left to the filter. */
    @Test
    void in_the_shadow_calls_are_observed_where_the_filter_observes_handlers_too() throws Exception {
        OperationSettingsRegistry policies =
                new OperationSettingsRegistry(OperationSettings.NONE.shadow(true), Map.of());
        RequestResolver filtered = new ReactiveRequestResolver(
                IdempotencyWebFilter.ANONYMOUS,
                () -> false,
                any -> false,
                (any, handler) -> false,
                () -> ReplayHeader.USUAL,
                true,
                0);
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        Logger shadow = (Logger) LoggerFactory.getLogger("io.onefold.shadow");
        told.start();
        shadow.addAppender(told);
        shadow.setLevel(Level.INFO);
        try (AnnotationConfigApplicationContext context = Context.inMemory(
                with -> {
                    with.registerBean(OperationSettingsRegistry.class, () -> policies);
                    with.registerBean(RequestResolver.class, () -> filtered);
                },
                Configured.class)) {
            Configured bean = context.getBean(Configured.class);
            bean.plain("k");
            bean.plain("k");
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (told.list.isEmpty() && System.nanoTime() < end) {
                Thread.sleep(5);
            }
            assertThat(told.list)
                    .singleElement()
                    .satisfies(line -> assertThat(line.getFormattedMessage()).contains("b: a duplicate ran"));
        } finally {
            shadow.setLevel(null);
            shadow.detachAppender(told);
        }
    }

    interface Service {
        void run(String id);
    }

    static class FirstService implements Service {
        @Override
        @Idempotent(operation = "service", key = "#p0")
        public void run(String id) {}
    }

    static class SecondService implements Service {
        @Override
        @Idempotent(operation = "service", key = "#p0")
        public void run(String id) {}
    }

    static class Lazily {
        @Bean
        Service first() {
            return new FirstService();
        }

        @Bean
        @Lazy
        Service second() {
            return new SecondService();
        }
    }

    @Test
    void one_name_for_two_classes_of_which_one_is_known_only_when_it_is_called() {
        try (AnnotationConfigApplicationContext context = Context.inMemory(Lazily.class)) {
            context.getBean("first", Service.class).run("k");
            Service second = context.getBean("second", Service.class);
            assertThatThrownBy(() -> second.run("k"))
                    .isInstanceOf(DuplicateOperationNameException.class)
                    .hasMessageContainingAll("FirstService", "SecondService");
        }
    }

    static class Promise<T> extends CompletableFuture<T> {}

    static class Promising {
        @Idempotent(key = "#id")
        public Promise<String> run(String id) {
            return new Promise<>();
        }
    }

    @Test
    void a_future_of_a_kind_that_cannot_be_made_again() {
        refused(Promising.class, "Promising.run returns a ");
    }
}
