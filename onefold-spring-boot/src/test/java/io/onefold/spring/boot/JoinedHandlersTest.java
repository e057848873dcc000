package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.DuplicatePolicy;
import io.onefold.spring.Idempotent;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What is kept of handlers whose records join their transactions, where the response is not the last word. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JoinedHandlersTest {
    /** More than is held back of a response. */
    private static final int LONG = 300_000;

    private final Running application =
            Running.start(Handling.class, "--onefold.operations.small.max-result-bytes=500");

    @AfterAll
    void stop() {
        application.close();
    }

    /** Requests with one key. */
    private final class Case {
        private final String path;
        private final String key = UUID.randomUUID().toString();

        Case(String path) {
            this.path = path;
        }

        HttpResponse<String> send(String does, int length) throws Exception {
            return application.post(
                    path, key, "{\"id\":\"%s\",\"does\":\"%s\",\"length\":%d}".formatted(key, does, length));
        }

        int runs() {
            return application.bean(Sheets.class).runs(key);
        }

        void isReplayed(String does, int length, int status, String body) throws Exception {
            HttpResponse<String> replay = send(does, length);
            assertThat(replay.statusCode()).as(replay.body()).isEqualTo(status);
            assertThat(replay.body()).isEqualTo(body);
            assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
        }
    }

    @Test
    void the_answer_of_a_failure_is_kept_where_a_payload_may_overwrite_another() throws Exception {
        Case sheet = new Case("/overwriting");
        HttpResponse<String> refused = sheet.send("refuse", 1);
        assertThat(refused.statusCode()).isEqualTo(409);
        sheet.isReplayed("refuse", 1, 409, refused.body());
        assertThat(sheet.runs()).isEqualTo(1);
    }

    @Test
    void the_answer_of_a_failure_overwrites_no_success() throws Exception {
        Case sheet = new Case("/overwriting");
        assertThat(sheet.send("print", 1).body()).isEqualTo("1");
        assertThat(sheet.send("refuse", 2).statusCode()).isEqualTo(409);
        sheet.isReplayed("print", 1, 200, "1");
        assertThat(sheet.send("print", 3).body()).isEqualTo("333");
        assertThat(sheet.runs()).isEqualTo(3);
    }

    @Test
    void a_response_that_is_too_long_to_keep_is_rendered_again() throws Exception {
        Case sheet = new Case("/sheets");
        HttpResponse<String> first = sheet.send("print", LONG);
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).hasSize(LONG);
        sheet.isReplayed("print", LONG, 200, first.body());
        assertThat(sheet.runs()).isEqualTo(1);
    }

    /** The value is one byte. */
    @Test
    void a_response_that_is_larger_than_results_may_be_is_rendered_again() throws Exception {
        Case sheet = new Case("/small");
        HttpResponse<String> first = sheet.send("print", 1_000);
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).hasSize(1_000);
        sheet.isReplayed("print", 1_000, 200, first.body());
        assertThat(sheet.runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, LONG})
    void a_response_that_broke_off_is_rendered_again(int length) throws Exception {
        Case sheet = new Case("/sheets");
        application.bean(SheetConverter.class).breakOffOnce(sheet.key);
        try {
            HttpResponse<String> first = sheet.send("print", length);
            assertThat(first.statusCode()).as(first.body()).isEqualTo(500);
        } catch (IOException e) {
            assertThat(length).isEqualTo(LONG);
        }
        HttpResponse<String> second = sheet.send("print", length);
        assertThat(second.statusCode()).as(second.body()).isEqualTo(200);
        assertThat(second.body()).hasSize(length);
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(sheet.runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/rejecting-late", "/rejecting-joined"})
    void a_result_that_cannot_be_written_is_no_trouble_where_duplicates_are_refused(String path) throws Exception {
        Case sheet = new Case(path);
        HttpResponse<String> first = sheet.send("print", 2);
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("{\"length\":2}");
        HttpResponse<String> second = sheet.send("print", 2);
        assertThat(second.statusCode()).as(second.body()).isEqualTo(409);
        assertThat(sheet.runs()).isEqualTo(1);
    }

    record Order(String id, String does, int length) {}

    /** The value is short, the response as long as it says. */
    record Sheet(String key, int length) {}

    /** Can be written to a response, and never read from a record. */
    interface Unreadable {
        int getLength();
    }

    @ResponseStatus(HttpStatus.CONFLICT)
    static class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    static class Sheets {
        private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

        int runs(String id) {
            return runs.getOrDefault(id, new AtomicInteger()).get();
        }

        Sheet print(Order order) {
            runs.computeIfAbsent(order.id(), id -> new AtomicInteger()).incrementAndGet();
            if (order.does().equals("refuse")) {
                throw new RefusedException();
            }
            return new Sheet(order.id(), order.length());
        }
    }

    /** Writes sheets as long as they say. */
    static class SheetConverter extends AbstractHttpMessageConverter<Sheet> {
        private final Map<String, Boolean> breaking = new ConcurrentHashMap<>();

        SheetConverter() {
            super(StandardCharsets.UTF_8, MediaType.TEXT_PLAIN);
        }

        void breakOffOnce(String key) {
            breaking.put(key, true);
        }

        @Override
        protected boolean supports(Class<?> type) {
            return type == Sheet.class;
        }

        @Override
        protected Sheet readInternal(Class<? extends Sheet> type, HttpInputMessage input) {
            throw new HttpMessageNotReadableException("sheets are not read", input);
        }

        @Override
        protected void writeInternal(Sheet sheet, HttpOutputMessage output) throws IOException {
            boolean breaks = breaking.remove(sheet.key()) != null;
            byte[] page =
                    String.valueOf(sheet.length() % 10).repeat(sheet.length()).getBytes(StandardCharsets.UTF_8);
            output.getBody().write(page, 0, breaks ? page.length - 1 : page.length);
            output.getBody().flush();
            if (breaks) {
                throw new IOException("broken off on purpose");
            }
        }
    }

    @Application
    @Import(Handlers.class)
    static class Handling {
        @Bean
        Sheets sheets() {
            return new Sheets();
        }

        @Bean
        SheetConverter sheetConverter() {
            return new SheetConverter();
        }
    }

    @RestController
    static class Handlers {
        private final Sheets sheets;

        Handlers(Sheets sheets) {
            this.sheets = sheets;
        }

        @Transactional
        @PostMapping("/overwriting")
        @Idempotent(operation = "overwriting", overwrite = true)
        public Sheet overwriting(@RequestBody Order order) {
            return sheets.print(order);
        }

        @Transactional
        @PostMapping("/sheets")
        @Idempotent(operation = "sheets")
        public Sheet sheets(@RequestBody Order order) {
            return sheets.print(order);
        }

        @Transactional
        @PostMapping("/small")
        @Idempotent(operation = "small")
        public Sheet small(@RequestBody Order order) {
            return sheets.print(order);
        }

        @PostMapping("/rejecting-late")
        @Idempotent(operation = "rejecting-late", bizId = "#order.id", duplicates = DuplicatePolicy.REJECT)
        public Unreadable rejectingLate(@RequestBody Order order) {
            return sheets.print(order)::length;
        }

        @Transactional
        @PostMapping("/rejecting-joined")
        @Idempotent(operation = "rejecting-joined", duplicates = DuplicatePolicy.REJECT)
        public Unreadable rejectingJoined(@RequestBody Order order) {
            return sheets.print(order)::length;
        }
    }
}
