package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.servers.DatabaseServer;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Joined methods that are called with a session which is open for the whole request, as it is in Spring Boot by default. A rollback
 * clears it: whoever goes on then changes objects that nobody writes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
abstract class OpenSessionCases {
    private final String url;
    private final String user;
    private final String password;
    private final Running application;
    private final SeatChanges.Seats seats;
    private final JdbcTemplate jdbc;

    OpenSessionCases(String url, String user, String password, String... more) {
        this.url = url;
        this.user = user;
        this.password = password;
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=" + user,
                "--spring.datasource.password=" + password,
                "--spring.jpa.hibernate.ddl-auto=create",
                "--onefold.jdbc.initialize-schema=always",
                "--onefold.operations.move-again.repeat-on-conflict=true"));
        arguments.addAll(List.of(more));
        application = Running.start(SeatChanges.class, arguments.toArray(String[]::new));
        seats = application.bean(SeatChanges.Seats.class);
        jdbc = application.bean(JdbcTemplate.class);
    }

    OpenSessionCases(DatabaseServer server, String parameters, String... more) {
        this(server.url(server.newDatabase()) + parameters, server.user(), server.password(), more);
    }

    /** Changes a row on a connection of its own, so that the database gives up who changes it, too. */
    abstract void standInTheWay(Connection other, PreparedStatement change) throws SQLException;

    /** Whether who changes it, too, waits for the row in vain: such a method is not run again. */
    abstract boolean waitsInVain();

    @AfterAll
    void stop() {
        application.close();
    }

    @BeforeEach
    void fill() {
        seats.meanwhile(() -> {});
        jdbc.update("insert into booking (id, seat) values ('a', 'old')");
    }

    @AfterEach
    void clear() {
        jdbc.execute("delete from booking");
        jdbc.execute("delete from idempotent_record");
    }

    final HttpResponse<String> post(String path) throws Exception {
        return application.post(path, "", "");
    }

    final String seat() {
        return Objects.requireNonNull(jdbc.queryForObject("select seat from booking where id = 'a'", String.class));
    }

    final Connection connection() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    @Test
    void a_method_whose_transaction_is_given_up_does_not_run_again_on_objects_that_nobody_writes() throws Exception {
        int before = seats.runs();
        try (Connection other = connection()) {
            other.setAutoCommit(false);
            seats.meanwhile(() -> change(other));
            HttpResponse<String> givenUp = post("/move?key=1&id=a&seat=new");
            assertThat(givenUp.statusCode()).as(givenUp.body()).isEqualTo(503);
            assertThat(givenUp.headers().firstValue("Retry-After")).isPresent();
            assertThat(givenUp.body()).contains("urn:onefold:problem:store-unavailable");
            assertThat(seats.runs()).isEqualTo(before + 1);
            assertThat(seat()).isEqualTo("old");
            assertThat(application.bean(Onefold.class).find(Operation.of("move"), Key.of("1")))
                    .as("it is no attempt")
                    .isEmpty();
            nothingIsLocked("move", "1");
            other.rollback();
        }
        seats.meanwhile(() -> {});
        assertThat(post("/move?key=1&id=a&seat=new").statusCode()).isEqualTo(200);
        assertThat(seat()).isEqualTo("new");
        assertThat(seats.runs()).isEqualTo(before + 2);
    }

    @Test
    void a_method_that_opted_in_runs_again_unless_it_waited_in_vain_for_a_lock() throws Exception {
        int before = seats.runs();
        try (Connection other = connection()) {
            other.setAutoCommit(false);
            seats.meanwhile(() -> {
                if (seats.runs() == before + 1) {
                    change(other);
                } else {
                    other.rollback();
                }
            });
            HttpResponse<String> moved = post("/move-again?key=1&id=a&seat=new");
            assertThat(moved.statusCode()).as(moved.body()).isEqualTo(waitsInVain() ? 503 : 200);
            other.rollback();
        }
        assertThat(seats.runs()).isEqualTo(before + (waitsInVain() ? 1 : 2));
        assertThat(seat()).isEqualTo(waitsInVain() ? "old" : "new");
    }

    final void change(Connection other) throws SQLException {
        try (PreparedStatement change = other.prepareStatement("update booking set seat = seat where id = 'a'")) {
            standInTheWay(other, change);
        }
    }

    @Test
    void what_a_request_changes_after_a_replay_is_written() throws Exception {
        int before = seats.runs();
        assertThat(post("/pay?key=1&id=a&seat=paid&dies=true").statusCode()).isEqualTo(500);
        assertThat(seat()).isEqualTo("old");

        HttpResponse<String> again = post("/pay?key=1&id=a&seat=paid");
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.body()).isEqualTo("charged 5");
        assertThat(seats.runs()).isEqualTo(before + 1);
        assertThat(seat()).isEqualTo("paid");
        nothingIsLocked("charge", "1");
    }

    @Test
    void what_a_request_changes_after_it_has_waited_for_a_replay_is_written() throws Exception {
        int before = seats.runs();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        seats.meanwhile(() -> {
            inside.countDown();
            goOn.await();
        });
        CompletableFuture<HttpResponse<String>> first =
                application.postLater("/pay?key=1&id=a&seat=paid&dies=true", "", "");
        inside.await();
        SeatChanges.Ends ends = application.bean(SeatChanges.Ends.class);
        int over = ends.count();
        CompletableFuture<HttpResponse<String>> second = application.postLater("/pay?key=1&id=a&seat=paid", "", "");
        // it looks again once it is among those who wait
        Until.holds(() -> ends.count() >= over + 2);
        goOn.countDown();
        assertThat(first.get().statusCode()).isEqualTo(500);
        assertThat(second.get().statusCode()).as(second.get().body()).isEqualTo(200);
        assertThat(seats.runs()).isEqualTo(before + 1);
        assertThat(seat()).isEqualTo("paid");
        nothingIsLocked("charge", "1");
    }

    @Test
    void what_was_changed_before_a_replay_is_written_as_any_transaction_would() throws Exception {
        assertThat(post("/pay?key=1&id=a&seat=paid&dies=true").statusCode()).isEqualTo(500);
        assertThat(post("/change-and-charge?key=1&id=a&seat=changed").statusCode())
                .isEqualTo(200);
        assertThat(seat()).isEqualTo("changed");
        nothingIsLocked("charge", "1");
    }

    @Test
    void a_change_that_cannot_be_written_when_a_replay_ends_is_an_error_of_the_application() throws Exception {
        jdbc.update("insert into booking (id, seat) values ('b', 'taken')");
        assertThat(post("/pay?key=1&id=a&seat=paid&dies=true").statusCode()).isEqualTo(500);

        HttpResponse<String> taken = post("/change-and-charge?key=1&id=a&seat=taken");
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(418);
        assertThat(taken.body()).isEqualTo("DataIntegrityViolationException");
        assertThat(seat()).isEqualTo("old");
        nothingIsLocked("charge", "1");
        assertThat(post("/change-and-charge?key=1&id=a&seat=free").body()).isEqualTo("charged 5");
    }

    @Test
    void what_was_changed_before_a_conflict_is_rolled_back_as_it_is_when_a_method_throws() throws Exception {
        assertThat(post("/pay?key=1&id=a&seat=paid&dies=true").statusCode()).isEqualTo(500);
        HttpResponse<String> conflict = post("/change-and-charge?key=1&id=a&seat=changed&amount=6");
        assertThat(conflict.statusCode()).as(conflict.body()).isEqualTo(422);
        assertThat(seat()).isEqualTo("old");
        nothingIsLocked("charge", "1");
    }

    /** Whatever way a call has left its transaction. */
    void nothingIsLocked(String operation, String key) throws SQLException {}
}
