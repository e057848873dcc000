package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Keys of handlers that are tokens, and keys in parameters. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeyPlacesTest {
    private final Running desk = Running.start(Desk.class, "--onefold.tokens.enabled=true");
    private final AtomicInteger runs = desk.bean(Desk.Handlers.class).runs();

    @AfterAll
    void stop() {
        desk.close();
    }

    private String token(String operation) throws Exception {
        HttpResponse<String> issued = desk.post("/onefold/tokens/" + operation, "", "");
        assertThat(issued.statusCode()).isEqualTo(201);
        return issued.body().replaceAll(".*\"token\" *: *\"([^\"]+)\".*", "$1");
    }

    /** Claimed by the filter, by the handler for its key, and by the handler in its transaction. */
    @ParameterizedTest
    @ValueSource(strings = {"filtered", "claiming", "joined"})
    void a_token_is_good_for_one_execution_and_its_replays(String operation) throws Exception {
        String token = token(operation);
        int before = runs.get();
        String path = "/" + operation + "?form=" + token;
        HttpResponse<String> first = desk.post(path, token, "");
        HttpResponse<String> again = desk.post(path, token, "");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(runs).hasValue(before + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"filtered", "claiming", "joined"})
    void a_token_that_was_not_issued_for_it_is_refused(String operation) throws Exception {
        int before = runs.get();
        String other = token(operation.equals("joined") ? "filtered" : "joined");
        for (String token : new String[] {"made-up", other}) {
            assertThat(desk.post("/" + operation + "?form=" + token, token, "").statusCode())
                    .isIn(400, 403);
        }
        assertThat(runs).hasValue(before);
    }

    @Test
    void a_parameter_has_the_key_and_without_it_nothing_runs() throws Exception {
        int before = runs.get();
        String first = desk.post("/parameter?order=o-1", "", "").body();
        assertThat(desk.post("/parameter?order=o-1", "", "").body()).isEqualTo(first);
        assertThat(desk.post("/parameter?order=o-2", "", "").body()).isNotEqualTo(first);
        assertThat(desk.post("/parameter", "k", "").statusCode()).isEqualTo(400);
        assertThat(desk.post("/parameter?order=o-3&order=o-4", "", "").statusCode())
                .isEqualTo(400);
        assertThat(runs).hasValue(before + 2);
    }

    @Application
    @Import(Desk.Handlers.class)
    static class Desk {
        @RestController
        static class Handlers {
            private final AtomicInteger runs = new AtomicInteger();

            public AtomicInteger runs() {
                return runs;
            }

            @PostMapping("/filtered")
            @Idempotent(operation = "filtered", token = true)
            public String filtered() {
                return "time " + runs.incrementAndGet();
            }

            @PostMapping("/claiming")
            @Idempotent(operation = "claiming", token = true, parameter = "form")
            public String claiming() {
                return "time " + runs.incrementAndGet();
            }

            @PostMapping("/joined")
            @Idempotent(operation = "joined", token = true)
            @Transactional
            public String joined() {
                return "time " + runs.incrementAndGet();
            }

            @PostMapping("/parameter")
            @Idempotent(operation = "parameter", parameter = "order")
            public String parameter() {
                return "time " + runs.incrementAndGet();
            }
        }
    }
}
