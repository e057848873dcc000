package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods that are called when a transaction has been committed: it is no longer under way, though its traces are still there. */
class AfterCommitTest {
    private AnnotationConfigApplicationContext context;
    private Orders orders;
    private JdbcTemplate jdbc;

    @BeforeEach
    void start() {
        context = Context.onH2(Orders.class, Listener.class, Mail.class);
        orders = context.getBean(Orders.class);
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("create table entry (id varchar(40))");
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private List<String> entries() {
        return jdbc.queryForList("select id from entry order by id", String.class);
    }

    private void placedTwice(String how) {
        orders.place("o", how);
        orders.place("o", how);
        assertThat(context.getBean(Listener.class).failures()).isEmpty();
    }

    @Test
    void a_leased_method_is_called_and_once() {
        placedTwice("leased");
        assertThat(context.getBean(Mail.class).sent()).containsExactly("o");
    }

    @Test
    void a_leased_method_has_its_own_transaction_where_it_says_so() {
        placedTwice("new");
        assertThat(entries()).containsExactly("mail o", "order o", "order o");
    }

    @Test
    void a_joined_method_has_a_transaction_of_its_own() {
        placedTwice("joined");
        assertThat(entries()).containsExactly("mail o", "order o", "order o");
        assertThat(jdbc.queryForObject("select count(*) from idempotent_record where status = 1", Integer.class))
                .isEqualTo(1);
    }

    @Test
    void a_joined_method_that_needs_another_transaction_finds_none() {
        orders.place("o", "mandatory");
        assertThat(context.getBean(Listener.class).failures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getMessage()).contains("mandatory"));
        assertThat(entries()).containsExactly("order o");
    }

    /** What took part in the transaction that is over would have nobody who commits it. */
    @Test
    void what_a_joined_method_has_done_in_a_synchronization_after_the_commit_is_committed() throws SQLException {
        DataSource database = context.getBean(DataSource.class);
        Mail mail = context.getBean(Mail.class);
        AtomicInteger seen = new AtomicInteger();
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(afterCommit(() -> {
                            mail.enter("o");
                            // as others see it, on a connection of their own
                            try (Connection other = database.getConnection();
                                    ResultSet found = other.createStatement()
                                            .executeQuery("select count(*) from entry e join idempotent_record r"
                                                    + " on r.status = 1")) {
                                found.next();
                                seen.set(found.getInt(1));
                            } catch (SQLException e) {
                                throw new IllegalStateException(e);
                            }
                        })));
        assertThat(seen).hasValue(1);
        mail.enter("o");
        assertThat(entries()).containsExactly("mail o");
    }

    @Test
    void what_a_joined_method_does_in_a_synchronization_before_the_commit_is_part_of_it() {
        Mail mail = context.getBean(Mail.class);
        TransactionTemplate transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        assertThatThrownBy(() -> transactions.executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean readOnly) {
                                mail.enter("o");
                                throw new IllegalStateException("not today");
                            }
                        })))
                .hasMessage("not today");
        assertThat(entries()).isEmpty();
    }

    private static TransactionSynchronization afterCommit(Runnable step) {
        return new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                step.run();
            }
        };
    }

    record Placed(String id, String how) {}

    static class Orders {
        private final JdbcTemplate jdbc;
        private final ApplicationEventPublisher events;

        Orders(JdbcTemplate jdbc, ApplicationEventPublisher events) {
            this.jdbc = jdbc;
            this.events = events;
        }

        @Transactional
        public void place(String id, String how) {
            jdbc.update("insert into entry values (?)", "order " + id);
            events.publishEvent(new Placed(id, how));
        }
    }

    static class Listener {
        private final Mail mail;
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();

        Listener(Mail mail) {
            this.mail = mail;
        }

        /** Spring would only log them. */
        List<Throwable> failures() {
            return failures;
        }

        @TransactionalEventListener
        public void on(Placed placed) {
            try {
                switch (placed.how()) {
                    case "leased" -> mail.send(placed.id());
                    case "new" -> mail.enterNew(placed.id());
                    case "joined" -> mail.enter(placed.id());
                    default -> mail.enterInside(placed.id());
                }
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
    }

    static class Mail {
        private final JdbcTemplate jdbc;
        private final List<String> sent = new CopyOnWriteArrayList<>();

        Mail(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        public List<String> sent() {
            return sent;
        }

        @Idempotent(operation = "send", key = "#id")
        public void send(String id) {
            sent.add(id);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Idempotent(operation = "enter-new", key = "#id")
        public void enterNew(String id) {
            insert(id);
        }

        @Transactional
        @Idempotent(operation = "enter", key = "#id", mode = TransactionMode.JOINED)
        public void enter(String id) {
            insert(id);
        }

        @Transactional(propagation = Propagation.MANDATORY)
        @Idempotent(operation = "enter-inside", key = "#id", mode = TransactionMode.JOINED)
        public void enterInside(String id) {
            insert(id);
        }

        private void insert(String id) {
            jdbc.update("insert into entry values (?)", "mail " + id);
        }
    }
}
