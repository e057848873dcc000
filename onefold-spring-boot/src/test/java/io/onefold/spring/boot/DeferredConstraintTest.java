package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.servers.PostgresServer;
import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Joined handlers whose transaction fails when it is committed: by a constraint that PostgreSQL checks no earlier. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class DeferredConstraintTest {
    /** Whether the transaction manager says of all that fails at the commit only that it failed. */
    @Parameter
    boolean plain;

    private @Nullable Running running;

    @BeforeEach
    void start() {
        PostgresServer server = PostgresServer.shared();
        running = Running.start(
                Payments.class,
                "--spring.datasource.url=" + server.url(server.newDatabase()),
                "--spring.datasource.username=" + server.user(),
                "--spring.datasource.password=" + server.password(),
                "--plain-manager=" + plain,
                "--onefold.jdbc.initialize-schema=always");
        jdbc().execute("create table account (id varchar(64) primary key)");
        jdbc().execute("create table payment (id varchar(64) primary key,"
                + " account varchar(64) references account deferrable initially deferred)");
    }

    @AfterEach
    void stop() {
        application().close();
    }

    private Running application() {
        return Objects.requireNonNull(running);
    }

    private JdbcTemplate jdbc() {
        return application().bean(JdbcTemplate.class);
    }

    private HttpResponse<String> pay(String path) throws Exception {
        return application().post(path, "k", "\"absent\"");
    }

    private int count(String what) {
        return Objects.requireNonNull(jdbc().queryForObject("select count(*) from " + what, Integer.class));
    }

    @Test
    void an_error_leaves_nothing_but_a_counted_attempt_and_the_retry_runs() throws Exception {
        for (int run = 1; run <= 2; run++) {
            HttpResponse<String> failed = pay("/unanswered");
            assertThat(failed.statusCode()).as(failed.body()).isEqualTo(500);
            assertThat(failed.headers().firstValue("Idempotent-Replayed")).isEmpty();
            assertThat(application().bean(Unanswered.class).runs()).isEqualTo(run);
            assertThat(count("payment")).isZero();
            assertThat(count("idempotent_record where idem_key = 'k' and status = 4 and attempts = " + run))
                    .isEqualTo(1);
        }
        jdbc().update("insert into account (id) values ('absent')");
        HttpResponse<String> paid = pay("/unanswered");
        assertThat(paid.statusCode()).as(paid.body()).isEqualTo(200);
        assertThat(count("payment")).isEqualTo(1);
        HttpResponse<String> replay = pay("/unanswered");
        assertThat(replay.body()).isEqualTo(paid.body());
        assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(application().bean(Unanswered.class).runs()).isEqualTo(3);
    }

    @Test
    void the_answer_that_the_application_makes_of_it_is_kept_if_the_manager_tells_the_cause() throws Exception {
        HttpResponse<String> first = pay("/answered");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(409);
        HttpResponse<String> second = pay("/answered");
        assertThat(second.statusCode()).as(second.body()).isEqualTo(409);
        // without its cause, a failed commit may also be a lost connection: a retry may run
        assertThat(second.body().equals(first.body())).isEqualTo(!plain);
        assertThat(second.headers().firstValue("Idempotent-Replayed").isPresent())
                .isEqualTo(!plain);
        assertThat(application().bean(Answered.class).runs()).isEqualTo(plain ? 2 : 1);
        assertThat(count("payment")).isZero();
    }

    @Test
    void the_answer_of_the_last_attempt_is_kept_likewise() throws Exception {
        HttpResponse<String> first = pay("/answered-once");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(409);
        HttpResponse<String> second = pay("/answered-once");
        assertThat(second.statusCode()).as(second.body()).isEqualTo(409);
        assertThat(second.body().equals(first.body())).as(second.body()).isEqualTo(!plain);
        assertThat(application().bean(Answered.class).runs()).isEqualTo(1);
        assertThat(count("payment")).isZero();
    }

    @Application
    @Import({Unanswered.class, Answered.class})
    static class Payments {
        @Bean
        @ConditionalOnProperty(name = "plain-manager", havingValue = "true")
        DataSourceTransactionManager transactionManager(DataSource source) {
            return new DataSourceTransactionManager(source);
        }
    }

    static class Payer {
        private final JdbcTemplate jdbc;
        private int runs;

        Payer(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        public int runs() {
            return runs;
        }

        String paid(String account) {
            runs++;
            jdbc.update("insert into payment (id, account) values (?, ?)", "p" + runs, account.replace("\"", ""));
            return "paid in run " + runs;
        }
    }

    @RestController
    static class Unanswered extends Payer {
        Unanswered(JdbcTemplate jdbc) {
            super(jdbc);
        }

        @Transactional
        @PostMapping("/unanswered")
        @Idempotent(operation = "unanswered")
        public String pay(@RequestBody String account) {
            return paid(account);
        }
    }

    @RestController
    static class Answered extends Payer {
        Answered(JdbcTemplate jdbc) {
            super(jdbc);
        }

        @Transactional
        @PostMapping("/answered")
        @Idempotent(operation = "answered")
        public String pay(@RequestBody String account) {
            return paid(account);
        }

        @Transactional
        @PostMapping("/answered-once")
        @Idempotent(operation = "answered-once", maxAttempts = 1)
        public String payOnce(@RequestBody String account) {
            return paid(account);
        }

        @ExceptionHandler({DataAccessException.class, TransactionException.class})
        ResponseEntity<String> refused(Exception why) {
            return ResponseEntity.status(409).body("no such account, at " + System.nanoTime());
        }
    }
}
