package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** What a method says of its transaction, and whether its record can be in it. */
class PropagationTest {
    private AnnotationConfigApplicationContext context;
    private Ledger ledger;
    private JdbcTemplate jdbc;

    @BeforeEach
    void start() {
        context = Context.onH2(Ledger.class);
        ledger = context.getBean(Ledger.class);
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("create table entry (id varchar(40))");
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private TransactionMode mode(String operation) {
        return context.getBean(IdempotentMethodRegistry.class).all().stream()
                .filter(method -> method.name().equals(operation))
                .findFirst()
                .orElseThrow()
                .mode();
    }

    private int entries() {
        return Objects.requireNonNull(jdbc.queryForObject("select count(*) from entry", Integer.class));
    }

    @ParameterizedTest
    @CsvSource({
        "required, JOINED",
        "supports, JOINED",
        "mandatory, JOINED",
        "nested, LEASED",
        "not-supported, LEASED",
        "never, LEASED",
        "requires-new, LEASED",
        "read-only, LEASED",
        "forgiving, JOINED"
    })
    void it_is_joined_where_it_is_in_the_transaction_that_the_record_is_in(String operation, TransactionMode expected) {
        assertThat(mode(operation)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"required", "supports", "nested", "not-supported", "never", "requires-new"})
    void it_runs_once_outside_of_a_transaction(String operation) {
        assertThat(ledger.post(ledger, operation)).isEqualTo("posted");
        assertThat(ledger.post(ledger, operation)).isEqualTo("posted");
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void one_that_needs_a_transaction_joins_it_and_fails_without() {
        assertThatThrownBy(() -> ledger.mandatory("a")).isInstanceOf(IllegalTransactionStateException.class);
        TransactionTemplate template = new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
        template.executeWithoutResult(status -> ledger.mandatory("a"));
        template.executeWithoutResult(status -> ledger.mandatory("a"));
        assertThat(entries()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nested", "not-supported", "never", "requires-new"})
    void one_that_is_leased_is_refused_inside_of_a_transaction(String operation) {
        TransactionTemplate template = new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
        assertThatThrownBy(() -> template.executeWithoutResult(status -> ledger.post(ledger, operation)))
                .hasMessageContaining("inside of a transaction");
        assertThat(entries()).isZero();
    }

    static class Ledger {
        private final JdbcTemplate jdbc;

        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        public String post(Ledger proxy, String how) {
            return switch (how) {
                case "required" -> proxy.required("a");
                case "supports" -> proxy.supports("a");
                case "nested" -> proxy.nested("a");
                case "not-supported" -> proxy.notSupported("a");
                case "never" -> proxy.never("a");
                default -> proxy.requiresNew("a");
            };
        }

        private String insert(String id) {
            jdbc.update("insert into entry values (?)", id);
            return "posted";
        }

        @Transactional
        @Idempotent(operation = "required", key = "#id")
        public String required(String id) {
            return insert(id);
        }

        @Transactional(propagation = Propagation.SUPPORTS)
        @Idempotent(operation = "supports", key = "#id")
        public String supports(String id) {
            return insert(id);
        }

        @Transactional(propagation = Propagation.MANDATORY)
        @Idempotent(operation = "mandatory", key = "#id")
        public String mandatory(String id) {
            return insert(id);
        }

        @Transactional(propagation = Propagation.NESTED)
        @Idempotent(operation = "nested", key = "#id")
        public String nested(String id) {
            return insert(id);
        }

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @Idempotent(operation = "not-supported", key = "#id")
        public String notSupported(String id) {
            return insert(id);
        }

        @Transactional(propagation = Propagation.NEVER)
        @Idempotent(operation = "never", key = "#id")
        public String never(String id) {
            return insert(id);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Idempotent(operation = "requires-new", key = "#id")
        public String requiresNew(String id) {
            return insert(id);
        }

        @Transactional(readOnly = true)
        @Idempotent(operation = "read-only", key = "#id")
        public String readOnly(String id) {
            return id;
        }

        @Transactional(noRollbackFor = IllegalStateException.class)
        @Idempotent(operation = "forgiving", key = "#id")
        public String forgiving(String id) {
            return insert(id);
        }
    }
}
