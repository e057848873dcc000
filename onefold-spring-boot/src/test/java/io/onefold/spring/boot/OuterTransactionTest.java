package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.servers.DatabaseServer;
import io.onefold.servers.MariaDbServer;
import io.onefold.servers.PostgresServer;
import io.onefold.spring.Idempotent;
import jakarta.servlet.Filter;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * A filter outside of Onefold's holds a transaction for the whole request, and a joined handler takes part in it. The record is not committed
 * when the response is rendered: whoever changed it then would wait for a lock, or a connection, that the request itself holds.
 */
@ParameterizedClass
@EnumSource
class OuterTransactionTest {
    @Parameter
    Place place = Place.H2;

    enum Place {
        H2,
        POSTGRESQL,
        MARIADB,
        /** Where the request holds the only connection. */
        POOL_OF_ONE
    }

    private @Nullable Running running;

    @BeforeEach
    void start() {
        running = switch (place) {
            case H2 -> start("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", 10);
            case POOL_OF_ONE -> start("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", 1);
            case POSTGRESQL -> start(PostgresServer.shared());
            case MARIADB -> start(MariaDbServer.shared());
        };
        application().bean(JdbcTemplate.class).execute("create table payment (id varchar(64) primary key)");
    }

    private Running application() {
        return Objects.requireNonNull(running);
    }

    private static Running start(DatabaseServer server) {
        return start(server.url(server.newDatabase()), server.user(), server.password(), 10);
    }

    private static Running start(String url, String user, String password, int connections) {
        return Running.start(
                Outer.class,
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=" + user,
                "--spring.datasource.password=" + password,
                "--spring.datasource.hikari.maximum-pool-size=" + connections,
                // who waits for a connection or a lock waits longer than the client
                "--spring.datasource.hikari.connection-timeout=90000",
                "--onefold.jdbc.timeout=60s",
                "--onefold.jdbc.initialize-schema=always");
    }

    @AfterEach
    void stop() {
        application().close();
    }

    private HttpResponse<String> pay(String id) throws Exception {
        return application()
                .client()
                .send(
                        application()
                                .request("/pay", "key-" + id, "\"" + id + "\"")
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private List<String> payments() {
        return application().bean(JdbcTemplate.class).queryForList("select id from payment", String.class);
    }

    private List<Integer> attempts() {
        return application()
                .bean(JdbcTemplate.class)
                .queryForList("select attempts from idempotent_record where idem_key = 'key-refuse'", Integer.class);
    }

    @Test
    void the_request_does_not_wait_for_itself_and_its_value_is_rendered_again() throws Exception {
        HttpResponse<String> first = pay("a");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        Until.holds(() -> payments().equals(List.of("a")));
        HttpResponse<String> second = pay("a");
        assertThat(second.statusCode()).as(second.body()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(application().bean(Handlers.class).runs()).isEqualTo(1);
        assertThat(payments()).containsExactly("a");
    }

    @Test
    void a_failure_is_counted_when_the_transaction_is_over_and_a_retry_runs() throws Exception {
        for (int run = 1; run <= 2; run++) {
            HttpResponse<String> refused = pay("refuse");
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
            assertThat(refused.headers().firstValue("Idempotent-Replayed")).isEmpty();
            assertThat(application().bean(Handlers.class).runs()).isEqualTo(run);
            int counted = run;
            // the client may have its answer before the transaction is over
            Until.holds(() -> attempts().equals(List.of(counted)));
        }
        assertThat(payments()).isEmpty();
    }

    @Application
    @Import(Handlers.class)
    static class Outer {
        @Bean
        FilterRegistrationBean<Filter> transactionOfTheRequest(PlatformTransactionManager manager) {
            FilterRegistrationBean<Filter> outermost = new FilterRegistrationBean<>((request, response, chain) -> {
                TransactionStatus status = manager.getTransaction(null);
                try {
                    chain.doFilter(request, response);
                } finally {
                    if (status.isRollbackOnly()) {
                        manager.rollback(status);
                    } else {
                        manager.commit(status);
                    }
                }
            });
            outermost.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return outermost;
        }
    }

    @ResponseStatus(HttpStatus.CONFLICT)
    static class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @RestController
    static class Handlers {
        private final JdbcTemplate jdbc;
        private final AtomicInteger runs = new AtomicInteger();

        Handlers(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        public int runs() {
            return runs.get();
        }

        @Transactional
        @PostMapping("/pay")
        @Idempotent(operation = "pay")
        public String pay(@RequestBody String id) {
            int run = runs.incrementAndGet();
            String paid = id.replace("\"", "");
            jdbc.update("insert into payment (id) values (?)", paid);
            if (paid.equals("refuse")) {
                throw new RefusedException();
            }
            return "paid in run " + run;
        }
    }
}
