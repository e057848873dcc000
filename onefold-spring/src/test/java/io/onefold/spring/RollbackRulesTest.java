package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.OperationFailedException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;

/** Joined methods that throw: what {@code @Transactional} alone commits is committed, and its record with it. */
class RollbackRulesTest {
    private AnnotationConfigApplicationContext context;
    private Ledger ledger;
    private JdbcTemplate jdbc;

    @BeforeEach
    void start() {
        context = Context.onH2(Ledger.class, Plain.class);
        ledger = context.getBean(Ledger.class);
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("create table entry (id varchar(40))");
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"checked", "runtime", "error", "rollback-for", "no-rollback-for", "named-in-both", "given-up"})
    void the_effect_stays_exactly_where_it_stays_without_the_annotation(String how) {
        Plain plain = context.getBean("rollbackRulesTest.Plain", Plain.class);
        assertThatThrownBy(() -> plain.call(plain, how))
                .isInstanceOfAny(Declined.class, IllegalStateException.class, Error.class);
        int without = entries();
        jdbc.update("delete from entry");
        assertThatThrownBy(() -> ledger.call(ledger, how))
                .isInstanceOfAny(Declined.class, IllegalStateException.class, Error.class);

        assertThat(entries()).isEqualTo(without);
    }

    @ParameterizedTest
    @ValueSource(strings = {"checked", "no-rollback-for", "named-in-both"})
    void where_it_stays_duplicates_get_the_failure_and_do_not_run_again(String how) {
        assertThatThrownBy(() -> ledger.call(ledger, how)).isInstanceOfAny(Declined.class, IllegalStateException.class);
        assertThatThrownBy(() -> ledger.call(ledger, how))
                .isInstanceOf(OperationFailedException.class)
                .hasMessageContaining("declined");
        assertThat(entries()).isEqualTo(1);
        assertThat(jdbc.queryForObject("select count(*) from idempotent_record where status = 2", Integer.class))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"runtime", "rollback-for", "given-up"})
    void where_it_does_not_the_same_request_may_run_again(String how) {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> ledger.call(ledger, how))
                    .isInstanceOfAny(Declined.class, IllegalStateException.class);
            assertThat(entries()).isZero();
        }
    }

    @Test
    void a_failure_that_has_no_effect_by_the_annotations_word_is_rolled_back_so_that_it_has_none() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> ledger.retried("a")).isInstanceOf(Declined.class);
        }
        assertThat(entries()).isZero();
    }

    @Test
    void in_a_transaction_of_the_callers_record_and_effect_are_committed_with_it_or_not_at_all() {
        TransactionTemplate outer = new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
        outer.executeWithoutResult(status -> {
            assertThatThrownBy(() -> ledger.checked("a")).isInstanceOf(Declined.class);
            status.setRollbackOnly();
        });
        assertThat(entries()).isZero();
        outer.executeWithoutResult(
                status -> assertThatThrownBy(() -> ledger.checked("a")).isInstanceOf(Declined.class));
        assertThat(entries()).isEqualTo(1);
        outer.executeWithoutResult(
                status -> assertThatThrownBy(() -> ledger.checked("a")).isInstanceOf(OperationFailedException.class));
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void an_effect_whose_record_cannot_be_written_is_not_committed_with_the_callers_transaction() {
        TransactionTemplate outer = new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
        assertThatThrownBy(() -> outer.executeWithoutResult(status -> assertThatThrownBy(() -> ledger.unspeakable("a"))
                        .isInstanceOf(UnsupportedOperationException.class)))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(entries()).isZero();
    }

    private int entries() {
        return Objects.requireNonNull(jdbc.queryForObject("select count(*) from entry", Integer.class));
    }

    static class Declined extends Exception {
        private static final long serialVersionUID = 1;

        Declined() {
            super("declined");
        }
    }

    /** A failure of which no record can be made. */
    static class Unspeakable extends Declined {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("no message");
        }
    }

    /** The same methods, without the annotation. */
    static class Plain {
        final JdbcTemplate jdbc;

        Plain(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        public void call(Plain proxy, String how) throws Declined {
            switch (how) {
                case "checked" -> proxy.checked("a");
                case "runtime" -> proxy.runtime("a");
                case "error" -> proxy.error("a");
                case "rollback-for" -> proxy.rollbackFor("a");
                case "no-rollback-for" -> proxy.noRollbackFor("a");
                case "named-in-both" -> proxy.namedInBoth("a");
                default -> proxy.givenUp("a");
            }
        }

        void insert(String id) {
            jdbc.update("insert into entry values (?)", id);
        }

        @Transactional
        public void checked(String id) throws Declined {
            insert(id);
            throw new Declined();
        }

        @Transactional
        public void runtime(String id) {
            insert(id);
            throw new IllegalStateException("declined");
        }

        @Transactional
        public void error(String id) {
            insert(id);
            throw new Error("declined");
        }

        @Transactional(rollbackFor = Exception.class)
        public void rollbackFor(String id) throws Declined {
            checked(id);
        }

        @Transactional(noRollbackFor = IllegalStateException.class)
        public void noRollbackFor(String id) {
            runtime(id);
        }

        @Transactional(rollbackFor = Exception.class, noRollbackFor = Declined.class)
        public void namedInBoth(String id) throws Declined {
            checked(id);
        }

        @Transactional
        public void givenUp(String id) throws Declined {
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            checked(id);
        }
    }

    static class Ledger extends Plain {
        Ledger(JdbcTemplate jdbc) {
            super(jdbc);
        }

        @Override
        @Transactional
        @Idempotent(operation = "checked", key = "#id")
        public void checked(String id) throws Declined {
            super.checked(id);
        }

        @Transactional
        @Idempotent(operation = "unspeakable", key = "#id")
        public void unspeakable(String id) throws Declined {
            insert(id);
            throw new Unspeakable();
        }

        @Override
        @Transactional
        @Idempotent(operation = "runtime", key = "#id")
        public void runtime(String id) {
            super.runtime(id);
        }

        @Override
        @Transactional
        @Idempotent(operation = "error", key = "#id")
        public void error(String id) {
            super.error(id);
        }

        @Override
        @Transactional(rollbackFor = Exception.class)
        @Idempotent(operation = "rollback-for", key = "#id")
        public void rollbackFor(String id) throws Declined {
            super.checked(id);
        }

        @Override
        @Transactional(noRollbackFor = IllegalStateException.class)
        @Idempotent(operation = "no-rollback-for", key = "#id")
        public void noRollbackFor(String id) {
            super.runtime(id);
        }

        @Override
        @Transactional(rollbackFor = Exception.class, noRollbackFor = Declined.class)
        @Idempotent(operation = "named-in-both", key = "#id")
        public void namedInBoth(String id) throws Declined {
            super.checked(id);
        }

        @Override
        @Transactional
        @Idempotent(operation = "given-up", key = "#id")
        public void givenUp(String id) throws Declined {
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            super.checked(id);
        }

        @Transactional
        @Idempotent(operation = "retried", key = "#id", retryOn = Declined.class)
        public void retried(String id) throws Declined {
            super.checked(id);
        }
    }
}
