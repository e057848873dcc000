package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import feign.RequestInterceptor;
import io.onefold.spring.CurrentAttempt;
import io.onefold.spring.client.ChildKeyFeignInterceptor;
import io.onefold.spring.client.ChildKeyRules;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.TaskDecorator;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** What goes on from an attempt to others, over sockets, in an application that says nothing of it. On each Spring Boot. */
abstract class ClientCases {
    private static final String ALL = "onefold.clients.child-keys=all";

    private final Recorder service = new Recorder("Idempotency-Key");
    private final ApplicationContextRunner errands = new ApplicationContextRunner()
            .withUserConfiguration(Errands.class)
            .withPropertyValues(
                    "onefold.store=memory",
                    "spring.datasource.generate-unique-name=true",
                    // reactor-netty takes its time to end; under the names of both generations
                    "spring.http.clients.reactive.connector=jdk",
                    "spring.http.reactiveclient.connector=jdk");

    /** Without classes of ours that would be made anew. */
    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withUserConfiguration(Elsewhere.Empty.class)
            .withPropertyValues("onefold.store=memory", "spring.datasource.generate-unique-name=true", ALL);

    /** By the builder, whose class has moved. */
    abstract RestTemplate template(ApplicationContext context);

    /** By the application's own customizer of {@code RestClient}. */
    abstract ApplicationContextRunner withInterceptor(
            ApplicationContextRunner runner, ClientHttpRequestInterceptor interceptor);

    /** Whether executors take several decorators. */
    abstract boolean takesSeveralDecorators();

    @AfterEach
    void stop() {
        service.close();
    }

    private void rest(ApplicationContext context, boolean named) {
        RestClient.RequestBodySpec request =
                context.getBean(RestClient.Builder.class).build().post().uri(service.url());
        (named ? request.attribute(ChildKeyRules.NAME, "charge") : request)
                .retrieve()
                .toBodilessEntity();
    }

    private void web(ApplicationContext context, boolean named) {
        WebClient.RequestBodySpec request =
                context.getBean(WebClient.Builder.class).build().post().uri(service.url());
        (named ? request.attribute(ChildKeyRules.NAME, "charge") : request)
                .retrieve()
                .toBodilessEntity()
                .block();
    }

    private void template(ApplicationContext context, boolean unused) {
        template(context).postForLocation(service.url(), null);
    }

    /** What the service sees of two attempts at one operation, each of which makes the call; and the key of the name. */
    private Seen seen(ApplicationContext context, BiConsumer<ApplicationContext, Boolean> call, boolean named) {
        Errands.Orders orders = context.getBean(Errands.Orders.class);
        String id = UUID.randomUUID().toString();
        String key = "";
        for (boolean fails : List.of(true, false)) {
            try {
                key = orders.order(id, fails, () -> {
                    call.accept(context, named);
                    return Objects.requireNonNull(CurrentAttempt.get()).childKey("charge");
                });
            } catch (IllegalStateException once) {
                assertThat(once).hasMessage("once more");
            }
        }
        List<String> keys = service.values();
        assertThat(keys).hasSize(2);
        return new Seen(keys.get(0), keys.get(1), key);
    }

    private record Seen(String first, String second, String named) {
        void isNone() {
            assertThat(List.of(first, second)).containsOnly("none");
        }

        void isNamed() {
            assertThat(List.of(first, second)).containsOnly(named);
        }

        void isCounted() {
            assertThat(first).isEqualTo(second).isNotEqualTo("none").isNotEqualTo(named);
        }
    }

    @Test
    void calls_with_a_name_have_its_key_in_every_attempt_and_others_are_left_alone() {
        errands.run(context -> {
            seen(context, this::rest, true).isNamed();
            seen(context, this::web, true).isNamed();
            seen(context, this::rest, false).isNone();
            seen(context, this::web, false).isNone();
            seen(context, this::template, false).isNone();
            assertThat(context)
                    .doesNotHaveBean(RequestInterceptor.class)
                    .doesNotHaveBean("onefoldRestTemplateCustomizer");
        });
    }

    @Test
    void with_all_every_call_has_a_key_that_is_the_same_in_every_attempt() {
        errands.withPropertyValues(ALL).run(context -> {
            seen(context, this::rest, true).isNamed();
            seen(context, this::web, true).isNamed();
            seen(context, this::rest, false).isCounted();
            seen(context, this::web, false).isCounted();
            seen(context, this::template, false).isCounted();
            assertThat(context).hasSingleBean(ChildKeyFeignInterceptor.class);
        });
    }

    @Test
    void with_none_no_call_has_a_key() {
        errands.withPropertyValues("onefold.clients.child-keys=none").run(context -> {
            seen(context, this::rest, true).isNone();
            seen(context, this::web, true).isNone();
            assertThat(context).doesNotHaveBean(ChildKeyRules.class);
        });
    }

    @Test
    void the_key_is_there_before_the_applications_own_interceptors() {
        AtomicBoolean there = new AtomicBoolean();
        ClientHttpRequestInterceptor own = (request, body, next) -> {
            there.set(request.getHeaders().getFirst("Idempotency-Key") != null);
            return next.execute(request, body);
        };
        withInterceptor(errands, own).run(context -> {
            seen(context, this::rest, true).isNamed();
            assertThat(there).isTrue();
        });
    }

    @Test
    void the_applications_own_choice_is_taken() {
        try (Recorder other = new Recorder("X-Request-Id")) {
            errands.withBean(ChildKeyRules.class, () -> ChildKeyRules.standard().header("X-Request-Id"))
                    .run(context -> context.getBean(Errands.Orders.class).order("o", false, () -> {
                        context.getBean(RestClient.Builder.class)
                                .build()
                                .post()
                                .uri(other.url())
                                .retrieve()
                                .toBodilessEntity();
                        return "sent";
                    }));
            assertThat(other.values()).hasSize(1).doesNotContain("none");
        }
    }

    @Test
    void without_a_library_there_is_no_customizer_for_it_and_no_harm() {
        bare.withClassLoader(new FilteredClassLoader("feign"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("onefoldFeignInterceptor")
                        .hasBean("onefoldRestClientCustomizer"));
        bare.withClassLoader(new FilteredClassLoader(
                        "org.springframework.web.reactive", "org.springframework.boot.webclient"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("onefoldWebClientCustomizer")
                        .hasBean("onefoldRestClientCustomizer"));
        bare.withClassLoader(new FilteredClassLoader(
                        "org.springframework.web", "org.springframework.http", "org.springframework.boot.restclient"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("onefoldRestClientCustomizer")
                        .doesNotHaveBean("onefoldWebClientCustomizer"));
    }

    @Test
    void what_is_switched_off_adds_nothing() {
        errands.withPropertyValues("onefold.enabled=false", ALL)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("onefoldRestClientCustomizer")
                        .doesNotHaveBean("onefoldWebClientCustomizer")
                        .doesNotHaveBean(RequestInterceptor.class)
                        .doesNotHaveBean(TaskDecorator.class));
    }

    private static List<String> aside(ApplicationContext context) {
        Errands.Aside aside = context.getBean(Errands.Aside.class);
        return List.of(context.getBean(Errands.Orders.class)
                .order(
                        "o",
                        false,
                        () -> aside.key().join() + " "
                                + Objects.requireNonNull(CurrentAttempt.get()).childKey("charge"))
                .split(" "));
    }

    @Test
    void an_async_method_has_the_attempt_of_its_caller() {
        errands.run(context -> {
            assertThat(context.getBean(Errands.Aside.class).thread().join())
                    .isNotEqualTo(Thread.currentThread().getName());
            List<String> keys = aside(context);
            assertThat(keys.get(0)).isEqualTo(keys.get(1));
            assertThat(context.getBean(Errands.Aside.class).key().join()).isEqualTo("none");
        });
    }

    @Test
    void the_applications_own_decorator_is_never_displaced() {
        AtomicInteger decorated = new AtomicInteger();
        TaskDecorator own = task -> {
            decorated.incrementAndGet();
            return task;
        };
        errands.withBean("own", TaskDecorator.class, () -> own).run(context -> {
            assertThat(context.getBean(TaskDecorator.class)).isSameAs(own);
            List<String> keys = aside(context);
            assertThat(decorated).hasValue(1);
            assertThat(keys.get(0)).isEqualTo(takesSeveralDecorators() ? keys.get(1) : "none");
        });
    }
}
