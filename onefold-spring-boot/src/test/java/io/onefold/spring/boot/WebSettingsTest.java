package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.http.HttpContract;
import io.onefold.http.HttpListener;
import io.onefold.http.Problem;
import io.onefold.http.RequestPlan;
import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.OperationSettingsRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** What is made of settings in a web application, without a server. */
@ExtendWith(OutputCaptureExtension.class)
class WebSettingsTest {
    private static final String ROUTE = "onefold.http.routes[0].";

    private final WebApplicationContextRunner bare = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OnefoldAutoConfiguration.class,
                    HttpContractAutoConfiguration.class,
                    RequestAutoConfiguration.class,
                    ServletFilterAutoConfiguration.class,
                    ReportAutoConfiguration.class,
                    EndpointAutoConfiguration.class,
                    DispatcherServletAutoConfiguration.class,
                    WebMvcAutoConfiguration.class))
            .withPropertyValues("onefold.store=memory");

    private final WebApplicationContextRunner desk =
            bare.withBean(Desk.class).withPropertyValues("onefold.http.principal=anonymous");

    @Test
    void keys_are_those_of_callers_also_where_no_filter_looks_at_requests() {
        bare.withBean(Desk.class)
                .withPropertyValues("onefold.http.enabled=false", "onefold.http.principal=security")
                .run(context -> {
                    Desk counter = context.getBean(Desk.class);
                    int first = as("alice", () -> counter.order("o1"));
                    assertThat(as("alice", () -> counter.order("o1"))).isEqualTo(first);
                    assertThat(as("bob", () -> counter.order("o1"))).isNotEqualTo(first);
                });
        bare.withBean(Desk.class)
                .withPropertyValues("onefold.http.enabled=false")
                .run(context -> assertThat(context).getFailure().rootCause().isInstanceOf(NoPrincipalException.class));
    }

    @Test
    void an_application_without_security_and_without_an_operation_starts() {
        bare.withConfiguration(AutoConfigurations.of(
                        SecurityAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(CurrentHttpContract.class).get().operations())
                            .isEmpty();
                });
    }

    @Test
    void a_route_may_not_have_the_operation_of_a_method_that_is_not_its_handler() {
        for (String operation : List.of("ship", "pay", "order")) {
            desk.withPropertyValues(ROUTE + "path=/notes", ROUTE + "operation=" + operation)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContaining("the operation \"" + operation + "\" of POST /notes")
                            .hasMessageContaining("Desk." + operation));
        }
        desk.withPropertyValues(ROUTE + "path=/pay/{what}", ROUTE + "operation=pay", ROUTE + "required=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void handlers_that_the_filter_claims_for_say_that_they_begin_and_nothing_else_does() {
        desk.withPropertyValues(ROUTE + "path=/notes", ROUTE + "operation=note").run(context -> {
            CurrentHttpContract contracts = context.getBean(CurrentHttpContract.class);
            assertThat(contracts.isHandled("pay")).isTrue();
            assertThat(List.of("order", "ship", "note")).noneMatch(contracts::isHandled);
        });
    }

    @Test
    void what_passes_passes_with_its_methods_alone() {
        WebApplicationContextRunner all =
                desk.withPropertyValues("onefold.http.cover=all", ROUTE + "path=/any", ROUTE + "methods=PATCH");
        all.withPropertyValues(ROUTE + "pass=true")
                .run(context -> assertThat(unprotected(context)).containsExactly("PATCH /any"));
    }

    @Test
    void a_refresh_that_contradicts_itself_or_a_method_changes_nothing(CapturedOutput output) {
        desk.withPropertyValues(ROUTE + "path=/notes", ROUTE + "operation=note").run(context -> {
            SettingsRefresher refresher = context.getBean(SettingsRefresher.class);
            OperationSettingsRegistry policies = context.getBean(OperationSettingsRegistry.class);
            HttpContract contract = context.getBean(CurrentHttpContract.class).get();
            for (String wrong : List.of("ship.max-run=1s", "note.lease=20m", "pay.lease=20m", "nothing.keep=1h")) {
                change(context, "onefold.operations." + wrong);
                assertThatThrownBy(refresher::refresh).as(wrong).isInstanceOf(RuntimeException.class);
                assertThat(policies.version()).as(wrong).isZero();
                assertThat(context.getBean(CurrentHttpContract.class).get()).isSameAs(contract);
            }
            refresher.refreshOrStay();
            assertThat(output).contains("Policies stay as they were").contains("onefold.operations.nothing");
            change(context, "onefold.operations.ship.max-run=20m");
            refresher.refresh();
            assertThat(policies.version()).isEqualTo(1);
            assertThat(context.getBean(IdempotentMethodRegistry.class).all())
                    .anySatisfy(method -> assertThat(method.settings().maxRun()).hasMinutes(20));
        });
    }

    @Test
    void a_route_without_a_name_is_configured_by_the_one_it_has_anyway() {
        desk.withPropertyValues(ROUTE + "path=/notes", "onefold.operations[POST /notes].keep=1h")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void settings_that_a_route_cannot_heed_are_refused() {
        for (String setting : List.of(
                "max-attempts=3",
                "max-result-bytes=9",
                "refuse-late=1d",
                "repeat-on-conflict=true",
                "overwrite=true")) {
            desk.withPropertyValues(
                            ROUTE + "path=/notes", ROUTE + "operation=note", "onefold.operations.note." + setting)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContaining(
                                    "onefold.operations.note." + setting.substring(0, setting.indexOf('=')))
                            .hasMessageContaining("allowed are keep"));
        }
        desk.withPropertyValues("onefold.operations.order.max-attempts=3")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void settings_for_operations_that_are_not_there_are_refused() {
        desk.withPropertyValues("onefold.operations.shipp.keep=1h")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("onefold.operations.shipp is for an operation")
                        .hasMessageContaining("[order, pay, ship]")
                        .hasMessageContaining("onefold.operations[POST /orders].keep"));
        desk.withPropertyValues("onefold.operations.Desk.ship.keep=1h")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("onefold.operations[Desk]"));
    }

    @Test
    void posts_and_patches_that_nothing_protects_are_told_and_others_if_asked_for() {
        desk.run(context -> assertThat(unprotected(context)).containsExactly("PATCH /any", "POST /any", "POST /notes"));
        desk.withPropertyValues("onefold.http.mutating=PUT,DELETE")
                .run(context ->
                        assertThat(unprotected(context)).containsExactly("DELETE /any", "PUT /any", "PUT /notes"));
        desk.withPropertyValues("onefold.http.mutating=GET")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("onefold.http.mutating is some of [DELETE, PATCH, POST, PUT], not [GET]"));
    }

    @Test
    void a_marker_of_replays_that_means_something_else_is_refused() {
        for (String wrong : List.of("Connection", "Set-Cookie", "no header", "Onefold-Stored")) {
            desk.withPropertyValues("onefold.http.replay-marker=" + wrong)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContaining("replay marker")
                            .hasMessageContaining(wrong));
        }
        desk.withPropertyValues(
                        "onefold.http.replay-marker=X-Total", ROUTE + "path=/notes", ROUTE + "store-headers=X-Total")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("the replay marker cannot be X-Total: for POST /notes"));
    }

    @Test
    void having_too_much_to_do_is_told_by_the_status_that_is_configured() {
        desk.withPropertyValues("onefold.http.overloaded-status=429").run(context -> {
            Problem full = Problem.of(Problem.ProblemType.OVERLOADED, "full");
            assertThat(context.getBean(CurrentHttpContract.class)
                            .get()
                            .answer(full)
                            .status())
                    .isEqualTo(429);
        });
        desk.withPropertyValues("onefold.http.overloaded-status=500")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("onefold.http.overloaded-status is 429 or 503, not 500"));
    }

    @Test
    void the_endpoint_shows_the_operations_of_routes() {
        desk.withPropertyValues(
                        "management.endpoints.web.exposure.include=onefold",
                        ROUTE + "path=/notes",
                        "onefold.operations[POST /notes].keep=1h")
                .run(context -> assertThat(context.getBean(OnefoldEndpoint.class)
                                .overview()
                                .operations())
                        .filteredOn(operation -> operation.method() == null)
                        .singleElement()
                        .satisfies(operation -> {
                            assertThat(operation.name()).isEqualTo("POST /notes");
                            assertThat(operation.keep()).hasHours(1);
                            assertThat(operation.key()).isEqualTo("header Idempotency-Key");
                        }));
    }

    @Test
    void settings_for_all_that_routes_do_not_heed_are_told(CapturedOutput output) {
        desk.withPropertyValues("onefold.defaults.max-attempts=3")
                .run(context -> assertThat(output).doesNotContain("do not heed"));
        desk.withPropertyValues("onefold.defaults.max-attempts=3", ROUTE + "path=/notes")
                .run(context -> assertThat(output).contains("do not heed").contains("  onefold.defaults.max-attempts"));
    }

    @Test
    void nobody_is_told_of_requests_that_were_never_sent() {
        AtomicInteger heard = new AtomicInteger();
        desk.withBean(
                        HttpContractCustomizer.class,
                        () -> builder -> builder.listener(new HttpListener() {
                            @Override
                            public void passed(RequestPlan.PassReason why) {
                                heard.incrementAndGet();
                            }
                        }))
                .run(context -> {
                    assertThat(unprotected(context)).isNotEmpty();
                    assertThat(heard).hasValue(0);
                });
    }

    private static List<String> unprotected(ConfigurableApplicationContext context) {
        return context.getBean(HttpReport.class).unprotected();
    }

    private static void change(ConfigurableApplicationContext context, String setting) {
        int middle = setting.indexOf('=');
        Map<String, Object> changed = Map.of(setting.substring(0, middle), setting.substring(middle + 1));
        var sources = context.getEnvironment().getPropertySources();
        sources.remove("changed");
        sources.addFirst(new MapPropertySource("changed", changed));
    }

    private static int as(String user, IntSupplier call) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/orders");
        request.setUserPrincipal(() -> user);
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        try {
            return call.getAsInt();
        } finally {
            RequestContextHolder.resetRequestAttributes();
        }
    }

    @RestController
    static class Desk {
        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/orders")
        @Idempotent(operation = "order", key = "#id")
        public int order(String id) {
            return runs.incrementAndGet();
        }

        @PostMapping("/pay/{id}")
        @Idempotent(operation = "pay")
        public void pay() {}

        @Idempotent(operation = "ship", key = "#id", lease = "10s")
        public void ship(String id) {}

        @PostMapping("/notes")
        public void note() {}

        @PutMapping("/notes")
        public void replace() {}

        @RequestMapping("/any")
        public void any() {}
    }
}
