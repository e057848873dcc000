package io.onefold.spring.boot;

import static io.onefold.spring.boot.ReactiveShopTest.MEMORY;
import static io.onefold.spring.boot.ReactiveShopTest.REACTIVE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.web.reactive.function.server.RequestPredicates.POST;
import static org.springframework.web.reactive.function.server.RequestPredicates.headers;

import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers of WebFlux that are not like others. */
@ExtendWith(OutputCaptureExtension.class)
class ReactiveHandlersTest {
    private static final String ANYBODY = "--onefold.http.principal=anonymous";

    record Ask(String id) {}

    private static HttpResponse<String> post(Running desk, String path, String version) throws Exception {
        return desk.client()
                .send(
                        desk.request(path, "k", "{\"id\":\"a\"}")
                                .header("Version", version)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void a_publisher_that_is_no_mono_runs_once() throws Exception {
        try (Running desk = Running.start(Desk.class, REACTIVE, MEMORY, ANYBODY)) {
            HttpResponse<String> first = post(desk, "/publisher", "1");
            assertThat(post(desk, "/publisher", "1").body()).isEqualTo(first.body());
            assertThat(desk.bean(AtomicInteger.class)).hasValue(1);
        }
    }

    @Test
    void a_mono_of_what_only_the_filter_can_keep_runs_once() throws Exception {
        try (Running desk = Running.start(Desk.class, REACTIVE, MEMORY, ANYBODY)) {
            for (String path : List.of("/response", "/resource", "/many")) {
                desk.bean(AtomicInteger.class).set(0);
                HttpResponse<String> first = post(desk, path, "1");
                assertThat(first.statusCode()).as(path).isEqualTo(200);
                HttpResponse<String> again = post(desk, path, "1");
                assertThat(again.body()).as(path).isEqualTo(first.body());
                assertThat(again.headers().firstValue("Location"))
                        .isEqualTo(first.headers().firstValue("Location"));
                assertThat(desk.bean(AtomicInteger.class)).as(path).hasValue(1);
            }
        }
    }

    @Test
    void a_function_on_the_path_of_an_annotated_handler_runs_once() throws Exception {
        try (Running desk = Running.start(Desk.class, REACTIVE, MEMORY, ANYBODY)) {
            HttpResponse<String> first = post(desk, "/shared", "2");
            assertThat(first.body()).startsWith("function");
            assertThat(post(desk, "/shared", "2").body()).isEqualTo(first.body());
            assertThat(desk.bean(AtomicInteger.class)).hasValue(1);
        }
    }

    @Test
    void without_the_filter_handlers_still_claim_for_themselves() throws Exception {
        try (Running desk = Running.start(Claiming.class, REACTIVE, MEMORY, ANYBODY, "--onefold.http.enabled=false")) {
            HttpResponse<String> first = post(desk, "/claiming", "1");
            HttpResponse<String> again = post(desk, "/claiming", "1");
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(again.body()).isEqualTo(first.body());
        }
    }

    @Test
    void a_handler_that_the_filter_can_claim_for_on_one_of_its_paths_only_is_refused() {
        assertThatThrownBy(() -> Running.start(Halved.class, REACTIVE, MEMORY, ANYBODY))
                .rootCause()
                .hasMessageContaining("/b/{id:[0-9]+}")
                .hasMessageContaining("return a Mono");
    }

    @Test
    void a_handler_of_all_methods_is_refused() {
        assertThatThrownBy(() -> Running.start(Open.class, REACTIVE, MEMORY, ANYBODY))
                .rootCause()
                .hasMessageContaining("Handler.open")
                .hasMessageContaining("return a Mono");
    }

    @Test
    void in_shadow_what_cannot_be_observed_is_said_once_and_not_for_each_request(CapturedOutput output)
            throws Exception {
        try (Running desk = Running.start(Halved.class, REACTIVE, MEMORY, ANYBODY, "--onefold.mode=shadow")) {
            assertThat(post(desk, "/a", "1").statusCode()).isEqualTo(200);
            assertThat(output).contains("duplicates may go unnoticed:\n  half").doesNotContain("could not be observed");
        }
    }

    @Test
    void a_refresh_is_checked_like_a_start() throws Exception {
        String shadow = "onefold.operations.half.shadow";
        System.setProperty(shadow, "true");
        try (Running desk = Running.start(Halved.class, REACTIVE, MEMORY, ANYBODY)) {
            System.setProperty(shadow, "false");
            SettingsRefresher refresher = desk.bean(SettingsRefresher.class);
            assertThatThrownBy(refresher::refresh).hasMessageContaining("/b/{id:[0-9]+}");
        } finally {
            System.clearProperty(shadow);
        }
    }

    @ReactiveApplication
    @Import(Desk.Handlers.class)
    static class Desk {
        @Bean
        AtomicInteger runs() {
            return new AtomicInteger();
        }

        @Bean
        RouterFunction<ServerResponse> function(AtomicInteger runs) {
            return RouterFunctions.route(
                    POST("/shared").and(headers(all -> "2".equals(all.firstHeader("Version")))),
                    request -> ServerResponse.ok().bodyValue("function " + runs.incrementAndGet()));
        }

        @RestController
        static class Handlers {
            private final AtomicInteger runs;

            Handlers(AtomicInteger runs) {
                this.runs = runs;
            }

            @PostMapping("/publisher")
            @Idempotent(operation = "publisher")
            public Publisher<String> publisher(@RequestBody Ask ask) {
                return Mono.fromSupplier(() -> "time " + runs.incrementAndGet());
            }

            @PostMapping("/response")
            @Idempotent(operation = "response")
            public Mono<String> response(@RequestBody Ask ask, ServerHttpResponse response) {
                return Mono.fromSupplier(() -> {
                    response.getHeaders().set("Location", "/asked/" + ask.id());
                    return "time " + runs.incrementAndGet();
                });
            }

            @PostMapping("/resource")
            @Idempotent(operation = "resource")
            public Mono<Resource> resource(@RequestBody Ask ask) {
                return Mono.fromSupplier(
                        () -> new ByteArrayResource(("time " + runs.incrementAndGet()).getBytes(UTF_8)));
            }

            @PostMapping("/many")
            @Idempotent(operation = "many")
            public Flux<String> many(@RequestBody Ask ask, ServerHttpResponse response) {
                return Flux.defer(() -> Flux.just("time ", "" + runs.incrementAndGet()));
            }

            @PostMapping("/shared")
            @Idempotent(operation = "shared")
            public Mono<String> shared(@RequestBody Ask ask) {
                return Mono.fromSupplier(() -> "time " + runs.incrementAndGet());
            }
        }
    }

    @ReactiveApplication
    @Import(Claiming.Handler.class)
    static class Claiming {
        @RestController
        static class Handler {
            private final AtomicInteger runs = new AtomicInteger();

            @PostMapping("/claiming")
            @Idempotent(operation = "claiming")
            public Mono<String> claiming(@RequestBody Ask ask) {
                return Mono.fromSupplier(() -> "time " + runs.incrementAndGet());
            }

            @PostMapping("/plain")
            public Mono<String> plain(@RequestBody Ask ask) {
                return Mono.just("done");
            }
        }
    }

    @ReactiveApplication
    @Import(Halved.Handler.class)
    static class Halved {
        @RestController
        static class Handler {
            @PostMapping({"/a", "/b/{id:[0-9]+}"})
            @Idempotent(operation = "half")
            public String half(@RequestBody Ask ask) {
                return "done";
            }
        }
    }

    @ReactiveApplication
    @Import(Open.Handler.class)
    static class Open {
        @RestController
        static class Handler {
            @RequestMapping("/open")
            @Idempotent(operation = "open")
            public String open(@RequestBody Ask ask) {
                return "done";
            }
        }
    }
}
