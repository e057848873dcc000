package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.NotExecutedException;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Joined calls that overwrite, or that take over from leased ones that do: what comes to nothing leaves the earlier end. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("everywhere")
class JoinedOverwriteTest extends JoinedCases {
    private static final Operation<String> OVERWRITING = POST.overwrite();

    private Key first() {
        return key().matching("first");
    }

    private Key second() {
        return key().matching("second");
    }

    private void firstAnswers() {
        assertThat(onefold.attempt(OVERWRITING, first(), attempt -> "again"))
                .isEqualTo(new Outcome.Replayed<>("first", true));
    }

    private void fails(Operation<String> operation, RuntimeException failure) throws SQLException {
        assertThatThrownBy(() -> onefold.attemptInTransaction(operation, second(), (attempt, connection) -> {
                    post(connection, "lost");
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(posted()).isZero();
    }

    /** A leased attempt to overwrite whose outcome nobody knows. */
    private void doubt() {
        onefold.attempt(OVERWRITING, first(), attempt -> "first");
        assertThatThrownBy(() -> onefold.attempt(OVERWRITING, second(), attempt -> {
                    throw new IllegalStateException("timeout");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(record().status()).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void a_payload_that_is_rolled_back_leaves_the_record_that_it_was_to_overwrite() throws SQLException {
        onefold.attempt(OVERWRITING, first(), attempt -> "first");
        StoredRecord before = record();
        for (RuntimeException failure : Stream.of(
                        new IllegalStateException("unclassified"),
                        new NotExecutedException("nothing happened", null),
                        new IllegalArgumentException("for good"))
                .toList()) {
            fails(OVERWRITING.failOn(IllegalArgumentException.class).maxAttempts(2), failure);
            assertThat(record().fence()).isEqualTo(before.fence());
            firstAnswers();
        }
        assertThat(onefold.attemptInTransaction(OVERWRITING, second(), (attempt, connection) -> "second"))
                .isEqualTo(new Outcome.Executed<>("second", true));
    }

    @Test
    void who_takes_over_from_a_lost_attempt_and_fails_puts_the_earlier_end_back() throws SQLException {
        doubt();
        StoredRecord unknown = record();
        fails(OVERWRITING.safeToRepeat(), new IllegalStateException("again"));
        assertThat(record().status()).isEqualTo(Status.SUCCESS);
        assertThat(record().fence()).isGreaterThan(unknown.fence());
        firstAnswers();
        assertThat(kept()).isZero();
    }

    @Test
    void who_takes_over_from_a_lost_attempt_and_succeeds_drops_the_earlier_end() throws SQLException {
        doubt();
        assertThat(kept()).isEqualTo(1);
        Outcome<String> outcome = onefold.attemptInTransaction(
                OVERWRITING.safeToRepeat(), second(), (attempt, connection) -> post(connection, "second"));
        assertThat(outcome).isEqualTo(new Outcome.Executed<>("second", true));
        assertThat(kept()).isZero();
        assertThat(onefold.attempt(OVERWRITING, first(), attempt -> "again")).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void a_leased_attempt_that_ends_leaves_nothing_of_the_earlier_end_in_the_table() throws SQLException {
        onefold.attempt(OVERWRITING, first(), attempt -> "first");
        onefold.attempt(OVERWRITING, second(), attempt -> {
            assertThat(kept()).isEqualTo(1);
            return "second";
        });
        assertThat(kept()).isZero();
    }

    /** How many records of this key have an earlier end. */
    private int kept() throws SQLException {
        String select = "select count(*) from idempotent_record where idem_key = ?"
                + " and (earlier_end is not null or earlier_payload is not null)";
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }
}
