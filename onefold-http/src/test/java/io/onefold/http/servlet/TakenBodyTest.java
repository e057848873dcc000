package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.servlet.Filter;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Bodies that a filter before ours has read. */
class TakenBodyTest extends FilterCases {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(ServletBodyReader.class);

    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private Before before = request -> request;

    /** What it does to a request. */
    private interface Before {
        HttpServletRequest take(HttpServletRequest request) throws IOException;
    }

    @Override
    Filter around(Filter filter) {
        return (request, response, chain) ->
                filter.doFilter(before.take((HttpServletRequest) request), response, chain);
    }

    @BeforeEach
    void open() throws Exception {
        told.start();
        LOGGER.addAppender(told);
        start(counting((request, response) -> response.getWriter()
                .print(new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8))));
    }

    @AfterEach
    void stopListening() {
        LOGGER.detachAppender(told);
    }

    @Test
    void one_that_a_reader_has_read_is_not_the_clients_fault() throws Exception {
        before = request -> {
            // to its end: a client that is still sending when it is refused may not hear why
            assertThat(request.getReader().lines()).hasSize(1);
            return request;
        };
        assertMisconfigured("getReader()", body("application/json", false));
        assertMisconfigured("getReader()", body("application/x-www-form-urlencoded", true));
    }

    @Test
    void one_that_was_read_is_not_taken_for_an_empty_one() throws Exception {
        before = request -> {
            request.getInputStream().readAllBytes();
            return request;
        };
        for (boolean chunked : new boolean[] {false, true}) {
            assertMisconfigured("getInputStream()", body("application/json", chunked));
            assertMisconfigured("getInputStream()", body("application/x-www-form-urlencoded", chunked));
        }
    }

    @Test
    void one_of_which_a_part_was_read_is_not_taken_for_its_rest() throws Exception {
        before = request -> {
            assertThat(request.getInputStream().read()).isEqualTo('{');
            return request;
        };
        assertMisconfigured("getInputStream()", body("application/json", false));
    }

    @Test
    void one_that_can_be_read_again_is_as_good_as_any() throws Exception {
        before = Again::new;
        for (boolean chunked : new boolean[] {false, true}) {
            executions.set(0);
            UnaryOperator<HttpRequest.Builder> body = body("application/json", chunked);
            HttpResponse<String> first = send(body.apply(post("again" + chunked)));
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.body()).isEqualTo("{\"a\":1}");
            assertOnce(first, send(body.apply(post("again" + chunked))));
        }
        assertThat(told.list).isEmpty();
    }

    @Test
    void an_empty_one_is_empty_whoever_has_looked() throws Exception {
        before = request -> {
            request.getInputStream().readAllBytes();
            return request;
        };
        HttpRequest.Builder nothing = post("empty").POST(HttpRequest.BodyPublishers.noBody());
        assertOnce(send(nothing), send(nothing));
        before = request -> request;
        HttpRequest.Builder noChunks = post("chunks")
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[0])));
        executions.set(0);
        assertOnce(send(noChunks), send(noChunks));
    }

    private void assertMisconfigured(String how, UnaryOperator<HttpRequest.Builder> body) throws Exception {
        told.list.clear();
        HttpResponse<String> answer = send(body.apply(post("k")));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
        assertThat(answer.body()).contains("\"type\":\"urn:onefold:problem:misconfigured\"", "\"retryable\":false");
        assertThat(executions).hasValue(0);
        assertThat(told.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.ERROR);
            assertThat(line.getFormattedMessage())
                    .contains("POST /pay", how, "until the filter stands before whatever reads bodies");
        });
    }

    private static UnaryOperator<HttpRequest.Builder> body(String type, boolean chunked) {
        byte[] bytes = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        return request -> request.header("Content-Type", type)
                .POST(
                        chunked
                                ? HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))
                                : HttpRequest.BodyPublishers.ofByteArray(bytes));
    }

    /** Has read the body, and gives it again; knows no more of streams than it must. */
    private static final class Again extends HttpServletRequestWrapper {
        private final byte[] body;

        Again(HttpServletRequest request) throws IOException {
            super(request);
            this.body = request.getInputStream().readAllBytes();
        }

        @Override
        public ServletInputStream getInputStream() {
            ByteArrayInputStream bytes = new ByteArrayInputStream(body);
            return new ServletInputStream() {
                @Override
                public int read() {
                    return bytes.read();
                }

                @Override
                public int read(byte[] into, int from, int count) {
                    return bytes.read(into, from, count);
                }

                @Override
                public boolean isFinished() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public boolean isReady() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void setReadListener(ReadListener listener) {
                    throw new UnsupportedOperationException();
                }
            };
        }
    }
}
