package io.onefold.jdbc.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.jdbc.mechanism.FencedUpdateResult.AlreadyApplied;
import io.onefold.jdbc.mechanism.FencedUpdateResult.Applied;
import io.onefold.jdbc.mechanism.FencedUpdateResult.FenceTooLow;
import io.onefold.jdbc.mechanism.FencedUpdateResult.FencedRowMissing;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A transfer that attempts write to, some of them after they were overtaken. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class FencedRowTest extends MechanismTest {
    private static final FencedRow TRANSFER = FencedRow.of("transfers", "id", "fence");

    FencedRowTest(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void tables() throws SQLException {
        create(
                "create table transfers (id varchar(20) primary key, receipt varchar(20), writes int not null, fence bigint)",
                "insert into transfers values ('t', null, 0, null)");
    }

    @Test
    void a_later_attempt_writes_over_an_earlier_one() throws SQLException {
        assertThat(write(1, "first")).isEqualTo(new Applied());
        assertThat(write(5, "second")).isEqualTo(new Applied());
        assertThat(query("select receipt, writes, fence from transfers")).isEqualTo("second 2 5");
    }

    @Test
    void a_zombie_that_wakes_up_after_the_next_attempt_is_refused() throws SQLException {
        write(5, "second");

        assertThat(write(1, "first")).isEqualTo(new FenceTooLow(5));
        assertThat(query("select receipt, writes, fence from transfers")).isEqualTo("second 1 5");
    }

    @Test
    void the_same_attempt_again_changes_nothing() throws SQLException {
        write(5, "second");

        assertThat(write(5, "second")).isEqualTo(new AlreadyApplied());
        assertThat(query("select receipt, writes, fence from transfers")).isEqualTo("second 1 5");
    }

    @Test
    void fences_are_as_large_as_they_get() throws SQLException {
        assertThat(write(Long.MAX_VALUE - 1, "last but one")).isEqualTo(new Applied());
        assertThat(write(Long.MAX_VALUE, "last")).isEqualTo(new Applied());
        assertThat(write(Long.MAX_VALUE - 1, "last but one")).isEqualTo(new FenceTooLow(Long.MAX_VALUE));
    }

    @Test
    void a_row_that_does_not_exist_is_missing() throws SQLException {
        FencedUpdateResult outcome =
                inTransaction(connection -> TRANSFER.update(connection, "u", 1, ColumnValues.none()));

        assertThat(outcome).isEqualTo(new FencedRowMissing());
    }

    @Test
    void the_id_and_the_fence_are_not_the_callers_to_set() {
        for (String column : List.of("id", "fence")) {
            assertThatThrownBy(() -> inTransaction(
                            connection -> TRANSFER.update(connection, "t", 1, ColumnValues.of(column, "5"))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Isolations
    void of_many_repetitions_of_an_attempt_at_once_one_takes_effect(int isolation) throws Exception {
        List<FencedUpdateResult> outcomes = race(i -> write(isolation, 7, "r"));

        assertOneEffect(outcomes, Applied.class, AlreadyApplied.class);
        assertThat(query("select writes, fence from transfers")).isEqualTo("1 7");
    }

    @Isolations
    void of_many_attempts_at_once_the_last_has_the_last_word(int isolation) throws Exception {
        List<FencedUpdateResult> outcomes = race(i -> write(isolation, i + 1, "r" + (i + 1)));

        assertThat(outcomes).allMatch(one -> one instanceof Applied || one instanceof FenceTooLow);
        assertThat(outcomes.get(THREADS - 1)).isEqualTo(new Applied());
        assertThat(query("select receipt, fence, writes from transfers"))
                .isEqualTo("r" + THREADS + " " + THREADS + " " + count(outcomes, Applied.class));
    }

    private FencedUpdateResult write(long fence, String receipt) throws SQLException {
        return inTransaction(connection -> TRANSFER.update(
                connection, "t", fence, ColumnValues.of("receipt", receipt).plus("writes", 1)));
    }

    private FencedUpdateResult write(int isolation, long fence, String receipt) throws SQLException {
        return inTransaction(
                isolation,
                connection -> TRANSFER.update(
                        connection,
                        "t",
                        fence,
                        ColumnValues.of("receipt", receipt).plus("writes", 1)));
    }
}
