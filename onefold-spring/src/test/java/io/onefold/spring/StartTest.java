package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

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
        @Idempotent(key = "#id", duplicates = Duplicates.REJECT, waitFor = "2s")
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
        public void run(String id, java.io.InputStream body) {}
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
        public java.util.stream.Stream<String> run(String id) {
            return java.util.stream.Stream.of();
        }
    }

    @Test
    void an_answer_that_cannot_be_kept() {
        refused(Streaming.class, "Streaming.run returns a Stream, which cannot be kept");
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
        Policies policies = new Policies(
                OperationSettings.NONE.keep(Duration.ofHours(3)).maxAttempts(7),
                Map.of(
                        "a", OperationSettings.NONE.keep(Duration.ofHours(2)),
                        "b", OperationSettings.NONE.keep(Duration.ofHours(2))));
        try (AnnotationConfigApplicationContext context =
                Context.inMemory(with -> with.registerBean(Policies.class, () -> policies), Configured.class)) {
            List<IdempotentMethod> methods =
                    context.getBean(IdempotentMethods.class).all();
            assertThat(methods.get(0).settings().keep()).isEqualTo(Duration.ofHours(1));
            assertThat(methods.get(1).settings().keep()).isEqualTo(Duration.ofHours(2));
            policies.replace(OperationSettings.NONE.keep(Duration.ofHours(3)), Map.of());
            assertThat(methods.get(1).settings().keep()).isEqualTo(Duration.ofHours(3));
        }
    }

    @Test
    void policies_that_are_replaced_hold_from_the_next_call_on() {
        Policies policies = new Policies(OperationSettings.NONE, Map.of());
        try (AnnotationConfigApplicationContext context =
                Context.inMemory(with -> with.registerBean(Policies.class, () -> policies), Configured.class)) {
            Configured bean = context.getBean(Configured.class);
            assertThat(bean.plain("k")).isEqualTo(bean.plain("k"));
            policies.replace(
                    OperationSettings.NONE.duplicates(Duplicates.REJECT).message("enough"), Map.of());
            assertThatThrownBy(() -> bean.plain("k")).hasMessageContaining("enough");
        }
    }

    @Test
    void in_the_shadow_everything_runs() {
        Policies policies = new Policies(OperationSettings.NONE.shadow(true), Map.of());
        try (AnnotationConfigApplicationContext context =
                Context.inMemory(with -> with.registerBean(Policies.class, () -> policies), Configured.class)) {
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
}
