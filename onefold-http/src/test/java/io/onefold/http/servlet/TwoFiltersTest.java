package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.Route;
import io.onefold.store.MemoryStore;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Two filters, one behind the other: what either protects is protected, once. */
class TwoFiltersTest extends FilterCases {
    private final MemoryStore shared = new MemoryStore();
    private final IdempotencyFilter elsewhere = filter(Route.of("POST", "/other"));
    private final IdempotencyFilter shadow =
            filter(Route.of("POST", "/pay").policy(HttpPolicy.unchanged().shadow(true)));
    private final IdempotencyFilter protecting = filter(Route.of("POST", "/pay"));

    private IdempotencyFilter filter(Route route) {
        return new IdempotencyFilter(contract(route), IdempotencyFilter.ANONYMOUS);
    }

    private HttpContract contract(Route route) {
        return HttpContract.builder(Onefold.on(shared)).route(route).build();
    }

    private void open(IdempotencyFilter first, IdempotencyFilter second, Handler handler) throws Exception {
        Filter both = (request, response, chain) ->
                first.doFilter(request, response, (passed, by) -> second.doFilter(passed, by, chain));
        container = kind.start(both, Map.of("/pay", counting(handler)));
    }

    @Test
    void what_passes_one_filter_is_asked_for_by_the_next() throws Exception {
        open(elsewhere, protecting, (request, response) -> {});
        assertOnce(send(post("k")), send(post("k")));
    }

    @Test
    void what_one_only_observes_the_next_protects() throws Exception {
        open(
                shadow,
                protecting,
                (request, response) -> response.getWriter()
                        .print(request.getAttribute(IdempotencyFilter.OBSERVED)
                                + request.getReader().readLine()));
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("null{}");
        assertOnce(first, send(post("k")));
    }

    @Test
    void what_one_protects_the_next_leaves_alone() throws Exception {
        open(protecting, shadow, (request, response) -> {});
        assertOnce(send(post("k")), send(post("k")));
    }

    @Test
    void who_waited_gets_its_turn_in_the_filter_that_has_it() throws Exception {
        for (IdempotencyFilter before : new IdempotencyFilter[] {elsewhere, shadow}) {
            executions.set(0);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch on = new CountDownLatch(1);
            open(before, protecting, (request, response) -> {
                if (executions.get() == 1) {
                    begun.countDown();
                    on.await();
                    response.setStatus(429); // nothing was done
                } else {
                    response.getWriter().print("done");
                }
            });
            String key = "turn" + System.identityHashCode(before);
            CompletableFuture<HttpResponse<String>> one = sendAsync(post(key));
            begun.await();
            CompletableFuture<HttpResponse<String>> two = sendAsync(post(key));
            on.countDown();
            assertThat(one.get().statusCode()).isEqualTo(429);
            assertThat(two.get().body()).isEqualTo("done");
            assertThat(executions).hasValue(2);
            assertThat(replayed(send(post(key)))).isTrue();
            assertThat(executions).hasValue(2);
            stop();
            container = null;
        }
    }

    @Test
    void a_dispatch_of_the_application_ends_in_the_filter_that_has_it() throws Exception {
        open(shadow, protecting, (request, response) -> {
            if (request.getAttribute("again") == null) {
                request.setAttribute("again", true);
                AsyncContext async = request.startAsync();
                async.start(async::dispatch);
            } else {
                response.getWriter().print("done");
            }
        });
        HttpResponse<String> first = send(post("k"));
        assertThat(first.body()).isEqualTo("done");
        executions.set(1);
        assertOnce(first, send(post("k")));
    }

    @Test
    void what_has_passed_when_the_contract_changes_passes_to_its_end() throws Exception {
        AtomicReference<IdempotencyFilter> current = new AtomicReference<>(elsewhere);
        Filter changing = (request, response, chain) ->
                Objects.requireNonNull(current.get()).doFilter(request, response, chain);
        container = kind.start(changing, Map.of("/pay", counting((request, response) -> {
            if (request.getAttribute("again") == null) {
                request.setAttribute("again", true);
                current.set(elsewhere.contract(contract(Route.of("POST", "/pay"))));
                AsyncContext async = request.startAsync();
                async.start(async::dispatch);
            } else {
                response.getWriter().print("done");
            }
        })));
        assertThat(send(post("k")).body()).isEqualTo("done");
        assertThat(replayed(send(post("k")))).isFalse();
        assertThat(replayed(send(post("k")))).isTrue();
    }

    @Test
    void what_is_observed_is_observed_once() throws Exception {
        IdempotencyFilter another =
                filter(Route.of("POST", "/pay").policy(HttpPolicy.unchanged().shadow(true)));
        open(shadow, another, (request, response) -> {
            int observed = 0;
            ServletRequest each = request;
            while (each instanceof ServletRequestWrapper wrapper) {
                observed += wrapper instanceof ShadowServletRequest ? 1 : 0;
                each = wrapper.getRequest();
            }
            response.getWriter().print(observed);
        });
        assertThat(send(post("k")).body()).isEqualTo("1");
    }
}
