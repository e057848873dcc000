package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Attempt;
import io.onefold.Onefold;
import io.onefold.http.BodyRules;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.Route;
import io.onefold.store.MemoryStore;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UnsupportedEncodingException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a servlet may do on the thread that it is called on. */
class FilterTest extends FilterCases {
    private static final String MULTIPART = """
            --b
            Content-Disposition: form-data; name="note"

            hello
            --b
            Content-Disposition: form-data; name="file"; filename="a.txt"
            Content-Type: text/plain

            content
            --b--
            """.replace("\n", "\r\n");

    @Test
    void a_writer_and_its_charset_are_replayed() throws Exception {
        start(counting((request, response) -> {
            response.setStatus(201);
            response.setContentType("text/plain;charset=UTF-8");
            response.setHeader("Location", "/pay/1");
            response.setHeader("Idempotent-Replayed", "true");
            response.getWriter().print("zahlung läuft");
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("zahlung läuft");
        HttpResponse<String> second = send(post("k"));
        assertOnce(first, second);
        assertThat(second.headers().firstValue("Location")).contains("/pay/1");
    }

    @Test
    void a_form_is_read_as_parameters() throws Exception {
        start(counting((request, response) -> response.getWriter()
                .print(request.getParameter("a") + "," + List.of(request.getParameterValues("b")))));
        HttpRequest.Builder form = post("k")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("a=1%2B1&b=x&b=y"));
        HttpResponse<String> first = send(form);
        assertThat(first.body()).isEqualTo("1+1,[x, y]");
        assertOnce(first, send(form));
    }

    @Test
    void a_form_that_an_earlier_filter_has_read_is_the_same_form() throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                .route(Route.of("POST", "/pay"))
                .build();
        IdempotencyFilter filter = new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS);
        Filter curious = (request, response, chain) -> {
            assertThat(request.getParameter("amount")).isNotNull();
            filter.doFilter(request, response, chain);
        };
        Servlet echo = counting((request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().print(request.getParameter("amount") + List.of(request.getParameterValues("b")));
        });
        container = kind.start(curious, Map.of("/pay", echo));
        for (boolean chunked : List.of(false, true)) {
            executions.set(0);
            HttpResponse<String> first = send(form("k" + chunked, "amount=1%2B1&b=%C3%A9&b=y", chunked));
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.body()).isEqualTo("1+1[q, \u00e9, y]");
            assertOnce(first, send(form("k" + chunked, "amount=1%2B1&b=%C3%A9&b=y", chunked)));
            assertThat(send(form("k" + chunked, "amount=2&b=y", chunked)).statusCode())
                    .isEqualTo(422);
        }
    }

    private HttpRequest.Builder form(String key, String body, boolean chunked) {
        byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + "/pay?b=q"))
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
                .timeout(Duration.ofSeconds(30))
                .POST(
                        chunked
                                ? HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))
                                : HttpRequest.BodyPublishers.ofByteArray(bytes));
    }

    @Test
    void a_form_has_the_charset_of_its_request_and_a_broken_pair_is_not_there() throws Exception {
        start(counting((request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter()
                    .print(request.getParameter("a") + "," + request.getParameter("b") + ","
                            + request.getParameter("c"));
        }));
        HttpRequest.Builder form = post("k")
                .header("Content-Type", "application/x-www-form-urlencoded;charset=GBK")
                .POST(HttpRequest.BodyPublishers.ofString("a=%D6%D0&b=%zz&c=1"));
        HttpResponse<String> first = send(form);
        assertThat(first.body()).isEqualTo("\u4e2d,null,1");
        assertOnce(first, send(form));
    }

    @Test
    void parts_are_there_to_be_read() throws Exception {
        start(counting((request, response) -> {
            Part file = Objects.requireNonNull(request.getPart("file"));
            response.getWriter()
                    .print(request.getParameter("note") + "," + file.getSubmittedFileName() + ","
                            + new String(file.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }));
        HttpRequest.Builder upload = post("k")
                .header("Content-Type", "multipart/form-data; boundary=b")
                .POST(HttpRequest.BodyPublishers.ofString(MULTIPART));
        HttpResponse<String> first = send(upload);
        assertThat(first.body()).isEqualTo("hello,a.txt,content");
        HttpRequest.Builder other = post("k")
                .header("Content-Type", "multipart/form-data; boundary=other")
                .POST(HttpRequest.BodyPublishers.ofString(MULTIPART.replace("--b", "--other")));
        assertOnce(first, send(other));
    }

    @Test
    void a_file_whose_name_is_not_ascii_is_no_parameter() throws Exception {
        start(counting((request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            Part file = Objects.requireNonNull(request.getPart("file"));
            response.getWriter().print(request.getParameter("file") + "," + file.getSubmittedFileName());
        }));
        HttpRequest.Builder upload = post("k")
                .header("Content-Type", "multipart/form-data; boundary=b")
                .POST(HttpRequest.BodyPublishers.ofString(
                        MULTIPART.replace("filename=\"a.txt\"", "filename*=UTF-8''%e2%82%ac+1.txt")));
        HttpResponse<String> first = send(upload);
        assertThat(first.body()).isEqualTo("null,\u20ac+1.txt");
        assertOnce(first, send(upload));
    }

    @Test
    void an_error_that_is_sent_is_replayed() throws Exception {
        start(counting((request, response) -> response.sendError(418, "no")));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(418);
        assertOnce(first, send(post("k")));
    }

    @Test
    void an_error_is_rendered_by_the_error_page_and_replayed_so() throws Exception {
        Servlet page = servlet((request, response) ->
                response.getWriter().print("page for " + request.getAttribute("jakarta.servlet.error.status_code")));
        start(Map.of("/pay", counting((request, response) -> response.sendError(418)), "/error", page), "/error");
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("page for 418");
        assertOnce(first, send(post("k")));
    }

    @Test
    void an_exception_is_the_answer_to_every_duplicate() throws Exception {
        start(counting((request, response) -> {
            response.getWriter().print("half of it");
            throw new IllegalStateException("broken on purpose");
        }));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.body()).doesNotContain("half of it");
        assertOnce(first, send(post("k")));
    }

    @Test
    void who_says_that_nothing_happened_may_be_asked_again() throws Exception {
        start(counting((request, response) -> {
            Attempt attempt = (Attempt) Objects.requireNonNull(request.getAttribute(Attempt.class.getName()));
            if (attempt.number() == 1) {
                throw attempt.notExecuted("the till was closed");
            }
            response.getWriter().print("attempt " + attempt.number());
        }));
        assertThat(send(post("k")).statusCode()).isEqualTo(500);
        assertThat(send(post("k")).body()).isEqualTo("attempt 2");
        assertThat(executions).hasValue(2);
    }

    @Test
    void an_exception_that_means_that_nothing_was_done_frees_the_key() throws Exception {
        HttpPolicy policy =
                HttpPolicy.unchanged().retryOn(IllegalStateException.class).failOn(RuntimeException.class);
        start(
                policy,
                Map.of("/pay", counting((request, response) -> {
                    throw executions.get() == 1 ? new IllegalStateException() : new IllegalArgumentException();
                })),
                null);
        assertThat(send(post("k")).statusCode()).isEqualTo(500);
        HttpResponse<String> second = send(post("k"));
        assertThat(replayed(second)).isFalse();
        assertThat(executions).hasValue(2);
        assertThat(replayed(send(post("k")))).isTrue();
        assertThat(executions).hasValue(2);
    }

    @Test
    void an_exception_may_be_the_answer_where_other_errors_are_tried_again() throws Exception {
        HttpPolicy policy = HttpPolicy.unchanged().on5xx(HttpPolicy.On5xx.RETRY).failOn(IllegalStateException.class);
        start(
                policy,
                Map.of("/pay", counting((request, response) -> {
                    throw executions.get() == 1 ? new RuntimeException() : new IllegalStateException();
                })),
                null);
        send(post("k"));
        HttpResponse<String> second = send(post("k"));
        assertThat(replayed(second)).isFalse();
        HttpResponse<String> third = send(post("k"));
        assertThat(replayed(third)).isTrue();
        assertThat(third.body()).isEqualTo(second.body());
        assertThat(executions).hasValue(2);
    }

    @Test
    void what_a_validation_refuses_frees_the_key_if_it_says_so() throws Exception {
        start(counting((request, response) -> {
            if (executions.get() == 1) {
                response.setHeader("Onefold-Outcome", "not-executed");
                response.sendError(400, "no amount");
            } else {
                response.getWriter().print("done");
            }
        }));
        HttpResponse<String> refused = send(post("k"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Onefold-Outcome")).isEmpty();
        assertThat(send(post("k")).body()).isEqualTo("done");
        assertThat(replayed(send(post("k")))).isTrue();
    }

    @Test
    void a_redirect_is_replayed() throws Exception {
        start(counting((request, response) -> response.sendRedirect("/elsewhere")));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(302);
        HttpResponse<String> second = send(post("k"));
        assertOnce(first, second);
        assertThat(second.headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).endsWith("/elsewhere"));
    }

    @Test
    void what_another_servlet_is_asked_to_write_is_recorded() throws Exception {
        Servlet other = servlet((request, response) -> response.getWriter().print("from the other"));
        start(
                Map.of(
                        "/pay",
                        counting((request, response) ->
                                request.getRequestDispatcher("/other").forward(request, response)),
                        "/other",
                        other),
                null);
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("from the other");
        assertOnce(first, send(post("k")));
    }

    @Test
    void what_another_includes_is_part_of_the_answer() throws Exception {
        Servlet other = servlet((request, response) -> {
            // an included one has no say in these
            response.setStatus(500);
            response.setHeader("Location", "/other");
            response.getWriter().print("from the other");
        });
        start(
                Map.of(
                        "/pay",
                        counting((request, response) -> {
                            response.setStatus(202);
                            response.setHeader("Location", "/pay/1");
                            response.getWriter().print("before, ");
                            request.getRequestDispatcher("/other").include(request, response);
                            response.getWriter().print(", after");
                        }),
                        "/other",
                        other),
                null);
        HttpResponse<String> first = send(post("k"));
        HttpResponse<String> second = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(first.body()).isEqualTo("before, from the other, after");
        assertThat(second.headers().firstValue("Location")).contains("/pay/1");
        assertOnce(first, second);
    }

    @Test
    void a_body_that_comes_too_slowly_is_given_up_and_its_key_is_free() throws Exception {
        start(counting((request, response) -> response.getWriter().print("done")));
        Objects.requireNonNull(container).patience(Duration.ofMillis(200));
        for (String framing : List.of("Content-Length: 9\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")) {
            try (Socket socket = new Socket("localhost", port())) {
                socket.getOutputStream()
                        .write(("POST /pay HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\n" + framing)
                                .getBytes(StandardCharsets.US_ASCII));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                // Tomcat has the last word on a body that it has waited for too long
                assertThat(answer)
                        .startsWith(kind == Container.Kind.TOMCAT ? "HTTP/1.1 408 " : "HTTP/1.1 400 ")
                        .contains(
                                kind == Container.Kind.TOMCAT ? "Request Timeout" : "urn:onefold:problem:body-invalid");
            }
            assertThat(executions).hasValue(0);
        }
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(200);
        assertOnce(first, send(post("k")));
    }

    @Test
    void an_answer_that_is_too_long_to_be_kept_reaches_the_first_caller_whole() throws Exception {
        start(counting((request, response) -> {
            byte[] block = new byte[100_000];
            for (int i = 0; i < 10; i++) {
                response.getOutputStream().write(block);
            }
        }));
        assertThat(send(post("k")).body()).hasSize(1_000_000);
        assertThat(send(post("k")).statusCode()).isEqualTo(409);
        assertThat(executions).hasValue(1);
    }

    @Test
    void an_answer_that_breaks_off_is_seen_to_be_broken_and_is_unknown() throws Exception {
        start(counting((request, response) -> {
            response.getOutputStream().write(new byte[400_000]);
            throw new IllegalStateException("broken on purpose");
        }));
        assertThatThrownBy(() -> send(post("k"))).isInstanceOf(IOException.class);
        HttpResponse<String> second = send(post("k"));
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @Test
    void parameters_in_a_path_count_but_for_the_session() throws Exception {
        start(counting((request, response) -> response.getWriter().print(request.getRequestURI())));
        HttpResponse<String> first = send(posted("/pay;tenant=a"));
        assertThat(first.body()).isEqualTo("/pay;tenant=a");
        assertOnce(first, send(posted("/pay;jsessionid=1.node;tenant=a")));
        HttpResponse<String> other = send(posted("/pay;tenant=b"));
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("\"path\"");
        assertThat(send(posted("/pay;jsessionid=2")).statusCode()).isEqualTo(422);
        assertThat(executions).hasValue(1);
    }

    @Test
    void what_stands_before_the_filter_has_said_its_headers_even_if_the_application_fails() throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(store)).build();
        IdempotencyFilter filter = new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS);
        Filter tracing = (request, response, chain) -> {
            ((HttpServletResponse) response).setHeader("X-Trace", "7");
            filter.doFilter(request, response, chain);
        };
        container = kind.start(tracing, Map.of("/pay", counting((request, response) -> {
            response.setHeader("X-Half", "of it");
            throw new IllegalStateException("broken on purpose");
        })));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.headers().allValues("X-Trace")).containsExactly("7");
        assertThat(first.headers().firstValue("X-Half")).isEmpty();
    }

    @Test
    void a_body_that_is_refused_closes_the_connection_where_it_is_that_of_one_request() throws Exception {
        HttpPolicy small = HttpPolicy.unchanged().body(BodyRules.standard().max(10));
        Servlet open = servlet((request, response) -> response.getWriter().print(request.getProtocol()));
        start(small, Map.of("/pay", counting((request, response) -> {}), "/open", open), null);
        HttpRequest.Builder large =
                post("k").POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[11])));
        assertThat(send(large).headers().firstValue("Connection")).contains("close");
        if (kind == Container.Kind.TOMCAT) {
            HttpClient modern =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            HttpRequest upgrading = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + "/open"))
                    .build();
            assertThat(modern.send(upgrading, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("HTTP/2.0");
            HttpResponse<String> refused = modern.send(large.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(refused.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(refused.statusCode()).isEqualTo(413);
            assertThat(refused.headers().firstValue("Connection")).isEmpty();
        }
    }

    @Test
    void a_charset_that_nobody_knows_is_told_as_containers_tell_it() throws Exception {
        start(counting((request, response) -> {
            try {
                request.getReader();
            } catch (UnsupportedEncodingException e) {
                response.getWriter().print("unknown");
            }
        }));
        assertThat(send(post("k").header("Content-Type", "text/plain;charset=nonsense"))
                        .body())
                .isEqualTo("unknown");
    }

    private HttpRequest.Builder posted(String path) {
        return post("k").uri(URI.create("http://localhost:" + port() + path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/./pay", "/x/../pay", "//pay", "/%70ay", "/pay;a=b"})
    void a_path_that_is_only_spelled_otherwise_evades_no_route(String path) throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(new MemoryStore()))
                .route(Route.of("POST", "/pay").policy(HttpPolicy.unchanged().required(true)))
                .build();
        container = kind.start(
                new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS),
                Map.of("/pay", counting((request, response) -> {})));
        postWithoutKey(path);
        assertThat(executions).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/he%2561lth", "/health%3Bx", "/health%253Bx"})
    void a_path_that_would_be_another_if_it_were_decoded_twice_is_not_that_one(String path) throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(store))
                .route(Route.passing("/health"))
                .route(Route.of("POST", "/{any}").policy(HttpPolicy.unchanged().required(true)))
                .build();
        container = kind.start(
                new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS),
                Map.of("/*", counting((request, response) -> {})));
        postWithoutKey(path);
        assertThat(executions).hasValue(0);
    }

    private void postWithoutKey(String path) throws IOException {
        try (Socket socket = new Socket("localhost", port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            socket.getInputStream().readAllBytes();
        }
    }
}
