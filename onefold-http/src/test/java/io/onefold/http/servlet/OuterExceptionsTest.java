package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.HttpPolicy;
import io.onefold.http.OuterExceptions;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Exceptions of the application that a filter before Onefold's answers. */
class OuterExceptionsTest extends FilterCases {
    private final Queue<DispatcherType> translated = new ConcurrentLinkedQueue<>();

    /** What the filter translates, which is no more than a cause. */
    private static final class ForbiddenException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static IllegalStateException forbidden() {
        return new IllegalStateException("failed", new IllegalArgumentException(new ForbiddenException()));
    }

    @Override
    Filter around(Filter filter) {
        OuterExceptions outer = new OuterExceptions(List.of(ForbiddenException.class));
        IdempotencyFilter passing = ((IdempotencyFilter) filter).outerExceptions(outer);
        return (request, response, chain) -> {
            try {
                passing.doFilter(request, response, chain);
            } catch (IOException | ServletException | RuntimeException e) {
                if (outer.find(e) == null) {
                    throw e;
                }
                translated.add(request.getDispatcherType());
                assertThat(response.isCommitted()).isFalse();
                ((HttpServletResponse) response).setStatus(418);
                response.getWriter().print("translated");
            }
        };
    }

    private void assertTranslated(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(418);
        assertThat(answer.body()).isEqualTo("translated");
        assertThat(answer.headers().firstValue("Handled-By")).isEmpty();
    }

    private void assertUnknown() throws Exception {
        HttpResponse<String> again = send(post("k"));
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.body()).contains("outcome-unknown");
        assertThat(executions).hasValue(1);
    }

    @Test
    void what_a_filter_before_this_one_translates_passes_and_nobody_knows_what_was_done() throws Exception {
        start(counting((request, response) -> {
            response.setHeader("Handled-By", "servlet");
            response.getWriter().print("half an answer");
            throw forbidden();
        }));
        assertTranslated(send(post("k")));
        assertUnknown();
        assertThat(translated).containsExactly(DispatcherType.REQUEST);
    }

    @Test
    void it_passes_out_of_an_asynchronous_dispatch() throws Exception {
        start(servlet((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                executions.incrementAndGet();
                AsyncContext async = request.startAsync();
                async.start(async::dispatch);
                return;
            }
            throw forbidden();
        }));
        assertTranslated(send(post("k")));
        assertUnknown();
    }

    @Test
    void it_passes_when_the_application_had_begun_to_work_asynchronously() throws Exception {
        start(counting((request, response) -> {
            request.startAsync();
            throw forbidden();
        }));
        assertTranslated(send(post("k")));
        assertUnknown();
    }

    @Test
    void the_key_is_free_if_the_handler_had_not_begun() throws Exception {
        start(counting((request, response) -> {
            request.setAttribute(IdempotencyFilter.BEGUN, false);
            throw forbidden();
        }));
        assertTranslated(send(post("k")));
        assertTranslated(send(post("k")));
        assertThat(executions).hasValue(2);
    }

    @Test
    void the_key_is_free_if_the_policy_says_that_nothing_was_done() throws Exception {
        start(
                HttpPolicy.unchanged().retryOn(IllegalStateException.class),
                Map.of("/pay", counting((request, response) -> {
                    throw forbidden();
                })),
                null);
        assertTranslated(send(post("k")));
        assertTranslated(send(post("k")));
        assertThat(executions).hasValue(2);
    }

    @Test
    void what_the_policy_takes_for_an_answer_is_kept() throws Exception {
        start(
                HttpPolicy.unchanged().failOn(IllegalStateException.class),
                Map.of("/pay", counting((request, response) -> {
                    throw forbidden();
                })),
                null);
        HttpResponse<String> first = send(post("k"));
        assertThat(first.statusCode()).isEqualTo(500);
        assertOnce(first, send(post("k")));
        assertThat(translated).isEmpty();
    }

    @Test
    void causes_in_a_circle_are_not_followed_for_ever() {
        IllegalStateException one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("other", one));
        assertThat(new OuterExceptions(List.of(ForbiddenException.class)).find(one))
                .isNull();
    }
}
