package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Onefold;
import io.onefold.OperationFailedException;
import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.TransactionMode;
import io.onefold.store.MemoryStore;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import org.hibernate.collection.spi.PersistentBag;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** Records in the transactions of Hibernate, whose sessions tell the database late; with a session that is open for each request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JpaTest {
    private final Running theatre = Running.start(
            Theatre.class,
            "--spring.jpa.open-in-view=true",
            "--spring.jpa.hibernate.ddl-auto=create",
            // one that is not given back is missed at once
            "--spring.datasource.hikari.maximum-pool-size=1",
            "--spring.datasource.hikari.connection-timeout=3000");
    private final Theatre.BoxOffice office = theatre.bean(Theatre.BoxOffice.class);
    private final JdbcTemplate jdbc = theatre.bean(JdbcTemplate.class);

    @AfterAll
    void stop() {
        theatre.close();
    }

    @AfterEach
    void clear() {
        jdbc.execute("delete from booking");
        jdbc.execute("delete from idempotent_record");
    }

    private int bookings() {
        return count("booking");
    }

    private int successes() {
        return count("idempotent_record where status = 1");
    }

    private int count(String what) {
        return Objects.requireNonNull(jdbc.queryForObject("select count(*) from " + what, Integer.class));
    }

    private void nothingIsThere() {
        assertThat(bookings()).isZero();
        assertThat(successes()).isZero();
    }

    @Test
    void its_transactions_are_joined() {
        assertThat(theatre.bean(PlatformTransactionManager.class).getClass().getSimpleName())
                .isEqualTo("JpaTransactionManager");
        assertThat(theatre.bean(IdempotentMethodRegistry.class).all())
                .extracting(IdempotentMethod::mode)
                .containsOnly(TransactionMode.JOINED);
    }

    @Test
    void record_and_row_are_there_together_and_once() {
        Theatre.Ticket ticket = office.book("a", "1");
        int sold = office.sold();
        assertThat(office.book("a", "1")).isEqualTo(ticket);
        assertThat(office.sold()).isEqualTo(sold);
        assertThat(bookings()).isEqualTo(1);
        assertThat(successes()).isEqualTo(1);
    }

    @Test
    void what_fails_when_the_session_is_flushed_is_no_success() {
        office.book("a", "1");
        assertThatThrownBy(() -> office.book("b", "1")).isInstanceOf(DataIntegrityViolationException.class);
        assertThat(bookings()).isEqualTo(1);
        assertThat(successes()).isEqualTo(1);
        jdbc.execute("delete from booking");
        assertThat(office.book("b", "1").id()).isEqualTo("b");
        assertThat(bookings()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"taken", Booking.CURSED})
    void what_fails_while_committing_is_no_success(String seat) {
        jdbc.update("insert into booking (id, seat) values ('x', 'taken')");
        assertThatThrownBy(() -> office.reserve("b", seat)).isInstanceOf(RuntimeException.class);
        assertThat(bookings()).isEqualTo(1);
        assertThat(successes()).isZero();
        jdbc.execute("delete from booking");
        if (seat.equals("taken")) {
            office.reserve("b", seat);
            assertThat(bookings()).isEqualTo(1);
            assertThat(successes()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"taken", Booking.CURSED})
    void failures_are_counted_wherever_they_come_from(String seat) {
        jdbc.update("insert into booking (id, seat) values ('x', 'taken')");
        int sold = office.sold();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> office.reserve("b", seat)).isNotInstanceOf(OperationFailedException.class);
        }
        assertThatThrownBy(() -> office.reserve("b", seat)).isInstanceOf(OperationFailedException.class);
        assertThat(office.sold()).isEqualTo(sold + 3);
        assertThat(bookings()).isEqualTo(1);
    }

    /** The session tells the database when the handler has returned: that is part of its work. */
    @Test
    void what_a_handlers_flush_fails_with_is_answered_and_its_answer_kept() throws Exception {
        jdbc.update("insert into booking (id, seat) values ('x', 'taken')");
        HttpResponse<String> first = post("/explained", "b", "taken");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(409);
        int sold = office.sold();
        jdbc.update("delete from booking");
        HttpResponse<String> second = post("/explained", "b", "taken");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).isEqualTo("taken");
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(office.sold()).isEqualTo(sold);
    }

    @Test
    void failures_of_the_flush_are_counted() {
        jdbc.update("insert into booking (id, seat) values ('x', 'taken')");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> office.book("b", "taken")).isInstanceOf(DataIntegrityViolationException.class);
        }
        assertThatThrownBy(() -> office.book("b", "taken")).isInstanceOf(OperationFailedException.class);
    }

    @Test
    void the_record_goes_with_the_callers_transaction() {
        TransactionTemplate outer = new TransactionTemplate(theatre.bean(PlatformTransactionManager.class));
        outer.executeWithoutResult(status -> {
            office.book("a", "1");
            status.setRollbackOnly();
        });
        nothingIsThere();
        jdbc.update("insert into booking (id, seat) values ('x', 'taken')");
        assertThatThrownBy(() -> outer.executeWithoutResult(status -> {
                    // the call itself says so, and not the end of the transaction
                    assertThatThrownBy(() -> office.book("b", "taken"))
                            .isInstanceOf(DataIntegrityViolationException.class);
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(successes()).isZero();
        outer.executeWithoutResult(status -> office.book("a", "1"));
        assertThat(bookings()).isEqualTo(2);
        assertThat(successes()).isEqualTo(1);
    }

    @EnableIdempotent(proxyTargetClass = true)
    static class Plain {
        @Bean
        Onefold onefold() {
            return Onefold.on(new MemoryStore());
        }
    }

    static class Typed {
        @Idempotent(key = "#id")
        public void pay(String id, List<Booking> bookings) {}
    }

    static class Open {
        @Idempotent(key = "#id")
        public void pay(String id, Object what) {}
    }

    static class Chosen {
        @Idempotent(key = "#id", matching = "#booking.toString()")
        public void pay(String id, Booking booking) {}
    }

    /** What was loaded of it differs from call to call. */
    @Test
    void an_entity_has_no_fingerprint_and_matching_is_the_way_out() {
        assertThatThrownBy(() -> new AnnotationConfigApplicationContext(Plain.class, Typed.class))
                .hasStackTraceContaining("its argument bookings")
                .hasStackTraceContaining(Booking.class.getName() + " is a JPA entity")
                .hasStackTraceContaining("say with matching");
        try (AnnotationConfigApplicationContext open = new AnnotationConfigApplicationContext(Plain.class, Open.class);
                EntityManager manager = theatre.bean(EntityManagerFactory.class).createEntityManager()) {
            Open bean = open.getBean(Open.class);
            Booking lazy = manager.getReference(Booking.class, "nobody");
            for (Object what : List.of(lazy, new PersistentBag<Object>(), List.of(lazy))) {
                assertThatThrownBy(() -> bean.pay("a", what))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("its argument what", "JPA", "matching");
            }
        }
        new AnnotationConfigApplicationContext(Plain.class, Chosen.class).close();
    }

    private HttpResponse<String> post(String path, String id, String seat) throws Exception {
        return theatre.post(path, "", "{\"id\":\"" + id + "\",\"seat\":\"" + seat + "\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bookings", "/later"})
    void in_a_session_that_is_open_for_the_request_it_is_the_same(String path) throws Exception {
        HttpResponse<String> first = post(path, "a", "1");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        int sold = office.sold();
        assertThat(post(path, "a", "1").body()).isEqualTo(first.body());
        assertThat(office.sold()).isEqualTo(sold);
        assertThat(bookings()).isEqualTo(1);
        assertThat(successes()).isEqualTo(1);
        for (int i = 0; i < 2; i++) {
            assertThat(post(path, "b", "1").statusCode()).isEqualTo(500);
        }
        assertThat(bookings()).isEqualTo(1);
        assertThat(successes()).isEqualTo(1);
        jdbc.execute("delete from booking");
        assertThat(post(path, "b", "1").statusCode()).isEqualTo(200);
        assertThat(bookings()).isEqualTo(1);
        assertThat(successes()).isEqualTo(2);
    }
}
