package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;

/** Transactions that are rolled back although the joined method has returned: quietly only if it has asked for that itself. */
class RolledBackTest {
    private AnnotationConfigApplicationContext context;
    private Orders orders;
    private JdbcTemplate jdbc;

    @BeforeEach
    void start() {
        context = Context.onH2(Orders.class, Points.class);
        orders = context.getBean(Orders.class);
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("create table entry (id varchar(40))");
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private int count(String what) {
        return Objects.requireNonNull(jdbc.queryForObject("select count(*) from " + what, Integer.class));
    }

    private void nothingIsKept() {
        assertThat(count("entry")).isZero();
        assertThat(count("idempotent_record where status = 1")).isZero();
    }

    @Test
    void a_failure_inside_that_the_method_swallows_is_no_success() {
        assertThatThrownBy(() -> orders.order("a", true)).isInstanceOf(UnexpectedRollbackException.class);
        nothingIsKept();
        assertThat(orders.order("a", false)).isEqualTo("ordered a");
        assertThat(count("entry")).isEqualTo(1);
    }

    @Test
    void a_joined_failure_inside_that_the_method_swallows_is_no_success() {
        assertThatThrownBy(() -> orders.orderWithRecord("a")).isInstanceOf(UnexpectedRollbackException.class);
        nothingIsKept();
    }

    @Test
    void what_a_method_inside_gives_up_is_no_success_of_the_one_around_it() {
        assertThatThrownBy(() -> orders.orderAndDecline("a")).isInstanceOf(UnexpectedRollbackException.class);
        nothingIsKept();
    }

    @Test
    void what_the_method_itself_gives_up_returns_quietly() {
        assertThat(orders.decline("a")).isEqualTo("declined");
        nothingIsKept();
    }

    @Test
    void what_the_method_itself_gives_up_is_no_failed_attempt() {
        for (int i = 0; i < 4; i++) {
            assertThat(orders.declineOnce("a")).isEqualTo("declined");
        }
        assertThat(count("idempotent_record")).as("attempts are counted there").isZero();
    }

    static class Points {
        @Transactional
        public void add(boolean fails) {
            if (fails) {
                throw new IllegalStateException("no points today");
            }
        }

        @Transactional
        @Idempotent(operation = "add", key = "#id")
        public void add(String id) {
            throw new IllegalStateException("no points today");
        }

        @Transactional
        public void decline() {
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
        }
    }

    static class Orders {
        private final JdbcTemplate jdbc;
        private final Points points;

        Orders(JdbcTemplate jdbc, Points points) {
            this.jdbc = jdbc;
            this.points = points;
        }

        private String ordered(String id, Runnable more) {
            jdbc.update("insert into entry values (?)", id);
            try {
                more.run();
            } catch (IllegalStateException swallowed) {
                // as some do
            }
            return "ordered " + id;
        }

        @Transactional
        @Idempotent(operation = "order", key = "#id", matching = "''")
        public String order(String id, boolean fails) {
            return ordered(id, () -> points.add(fails));
        }

        @Transactional
        @Idempotent(operation = "order-with-record", key = "#id")
        public String orderWithRecord(String id) {
            return ordered(id, () -> points.add(id));
        }

        @Transactional
        @Idempotent(operation = "order-and-decline", key = "#id")
        public String orderAndDecline(String id) {
            return ordered(id, points::decline);
        }

        @Transactional
        @Idempotent(operation = "decline-once", key = "#id")
        public String declineOnce(String id) {
            return decline(id);
        }

        @Transactional
        @Idempotent(operation = "decline", key = "#id")
        public String decline(String id) {
            jdbc.update("insert into entry values (?)", id);
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            return "declined";
        }
    }
}
