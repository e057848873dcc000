package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.test.OperationNames;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** No more is promised than is held. Joined ones are told in {@link SettingsTest}. */
class GuaranteeTest {
    private static final String ROUTE = "onefold.http.routes[0].";

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OnefoldAutoConfiguration.class,
                    HttpContractAutoConfiguration.class,
                    RequestAutoConfiguration.class,
                    ServletFilterAutoConfiguration.class,
                    ReportAutoConfiguration.class,
                    DispatcherServletAutoConfiguration.class,
                    WebMvcAutoConfiguration.class))
            .withBean(Desk.class)
            .withPropertyValues(
                    "onefold.store=memory",
                    "onefold.http.principal=anonymous",
                    ROUTE + "path=/notes",
                    ROUTE + "operation=note");

    private static String of(String operation, ApplicationContext context) {
        String report = context.getBean(StartupReport.class).operations();
        int from = report.indexOf("\n  " + operation + ": ");
        assertThat(from).as(report).isNotNegative();
        return report.substring(from + operation.length() + 5)
                .lines()
                .findFirst()
                .orElseThrow();
    }

    private void promises(String operation, String promise, String... settings) {
        runner.withPropertyValues(settings)
                .run(context -> assertThat(of(operation, context)).startsWith(promise + ", "));
    }

    @Test
    void at_most_once_unless_something_is_chosen() {
        for (String operation : new String[] {"plain", "note", "handler"}) {
            promises(operation, "leased (at most once)");
            promises(operation, "shadow (observed only)", "onefold.mode=shadow");
            promises(
                    operation,
                    "leased (at least once; one effect only if the callee recognises a repetition)",
                    "onefold.operations." + operation + ".safe-to-repeat=true");
        }
        promises("retried", "leased (at most once; again after IllegalStateException)");
    }

    @Test
    void the_other_annotation_tries_again_whatever_has_failed() {
        promises("Desk.old", "leased (at most once; again after Throwable)");
    }

    @Test
    void routes_take_back_what_their_policies_take_back() {
        promises("note", "leased (at most once; again after an answer of 5xx)", ROUTE + "on-5xx=retry");
        promises(
                "note",
                "leased (at most once; again after an answer of 3xx or 4xx)",
                ROUTE + "store-only-success=true");
        promises(
                "note",
                "leased (at most once; unprotected while the store cannot be reached)",
                ROUTE + "open-on-store-failure=true");
        promises(
                "note",
                "leased (at most once; again after an answer of 418 or an answer of 503)",
                ROUTE + "never-store=503,418,429");
    }

    @Test
    void the_profile_counts_for_routes_and_for_handlers_that_the_filter_claims_for() {
        for (String operation : new String[] {"note", "handler"}) {
            promises(operation, "leased (at most once; again after an answer of 5xx)", "onefold.http.profile=azure");
        }
        promises("plain", "leased (at most once)", "onefold.http.profile=azure");
    }

    @Test
    void keys_and_keeps_of_routes_are_told() {
        runner.withPropertyValues(ROUTE + "key=header:X-Key,query:id", "onefold.operations.note.keep=2h")
                .run(context -> assertThat(of("note", context))
                        .isEqualTo("leased (at most once), by its route, key: header X-Key or query id, keep: 2h"));
    }

    @Test
    void keys_that_are_everybodys_are_told_as_such() {
        runner.run(context -> {
            assertThat(of("plain", context)).contains(", key: expression #id (of all callers), ");
            assertThat(of("scoped", context)).contains(", key: expression #id, ");
            assertThat(of("claiming", context)).contains(", key: expression 'k', ");
        });
    }

    @Test
    void a_name_that_a_refactoring_would_change_is_told_and_others_are_not() {
        runner.run(context -> {
            assertThat(of("Desk.old", context))
                    .endsWith(", NAMED AFTER ITS METHOD: renaming that makes it another operation");
            assertThat(of("plain", context)).doesNotContain("NAMED AFTER");
            assertThat(of("handler", context)).doesNotContain("NAMED AFTER");
        });
    }

    /** As the guide has it. */
    @Test
    void a_test_can_pin_all_names_and_notices_a_refactoring(@TempDir Path directory) {
        Path file = directory.resolve("operations.txt");
        runner.run(context -> assertThatThrownBy(() -> names(context).arePinnedIn(file))
                .hasMessageContaining("is written now with 6 names"));
        runner.run(context -> names(context).arePinnedIn(file));
        runner.withBean(Moved.class)
                .run(context -> assertThatThrownBy(() -> names(context).arePinnedIn(file))
                        .hasMessageContaining("+ Moved.old"));
    }

    private static OperationNames names(ApplicationContext context) {
        IdempotentMethodRegistry methods = context.getBean(IdempotentMethodRegistry.class);
        return OperationNames.of(
                methods.all().stream().map(IdempotentMethod::name).toList());
    }

    static class Moved {
        @io.onefold.spring.legacy.Idempotent(tokenExpression = "#id")
        public void old(String id) {}
    }

    @RestController
    static class Desk {
        @PostMapping("/handler")
        @Idempotent(operation = "handler")
        public void handler() {}

        @Idempotent(operation = "plain", key = "#id")
        public void plain(String id) {}

        @Idempotent(operation = "scoped", key = "#id", scope = "#tenant")
        public void scoped(String id, String tenant) {}

        @PostMapping("/claiming")
        @Idempotent(operation = "claiming", key = "'k'")
        public void claiming() {}

        @Idempotent(operation = "retried", key = "#id", retryOn = IllegalStateException.class)
        public void retried(String id) {}

        @io.onefold.spring.legacy.Idempotent(tokenExpression = "#id")
        public void old(String id) {}
    }
}
