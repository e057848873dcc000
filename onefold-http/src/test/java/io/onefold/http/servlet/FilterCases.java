package io.onefold.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.Route;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A servlet behind the filter, in each container, and who asks it. */
@ParameterizedClass
@EnumSource(Container.Kind.class)
abstract class FilterCases {
    static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Parameter
    Container.Kind kind = Container.Kind.TOMCAT;

    final AtomicInteger executions = new AtomicInteger();
    final TroubledStore store = new TroubledStore();
    Container.Registration registered = Container.Registration.RIGHT;

    @Nullable
    Container container;

    @AfterEach
    void stop() {
        if (container != null) {
            container.close();
        }
    }

    /** What stands before it. */
    Filter around(Filter filter) {
        return filter;
    }

    interface Handler {
        void handle(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    Servlet servlet(Handler handler) {
        return new HttpServlet() {
            private static final long serialVersionUID = 1;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                try {
                    handler.handle(request, response);
                } catch (IOException | RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    /** A servlet that counts. */
    Servlet counting(Handler handler) {
        return servlet((request, response) -> {
            executions.incrementAndGet();
            handler.handle(request, response);
        });
    }

    void start(Servlet servlet) throws Exception {
        start(Map.of("/pay", servlet), null);
    }

    void start(Map<String, Servlet> servlets, @Nullable String errorPage) throws Exception {
        start(HttpPolicy.unchanged(), servlets, errorPage);
    }

    void start(HttpPolicy policy, Map<String, Servlet> servlets, @Nullable String errorPage) throws Exception {
        HttpContract contract = HttpContract.builder(Onefold.on(store))
                .defaults(HttpPolicy.unchanged().waitFor(Duration.ofSeconds(20)))
                .route(Route.of("POST", "/pay").policy(policy))
                .build();
        IdempotencyFilter filter = new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS);
        container = kind.start(around(errorPage == null ? filter : filter.errorPage(errorPage)), servlets, registered);
    }

    HttpRequest.Builder post(String key) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + "/pay"))
                .header("Idempotency-Key", key)
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofString("{}"));
    }

    int port() {
        return Objects.requireNonNull(container).port();
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static boolean replayed(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    void assertOnce(HttpResponse<String> first, HttpResponse<String> second) {
        assertThat(executions).hasValue(1);
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Content-Type"))
                .isEqualTo(first.headers().firstValue("Content-Type"));
        assertThat(replayed(first)).isFalse();
        assertThat(replayed(second)).isTrue();
    }
}
