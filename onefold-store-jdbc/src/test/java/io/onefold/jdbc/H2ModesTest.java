package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H2 as tests have it where it stands for another database that Onefold knows. */
class H2ModesTest {
    private static final Operation<String> PAY = Operation.of("pay", String.class);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MODE=PostgreSQL",
                "MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE",
                "MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
                "MODE=MySQL",
                "MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
                "MODE=MariaDB;DATABASE_TO_LOWER=TRUE",
                "DATABASE_TO_UPPER=FALSE",
            })
    void a_store_opens_claims_joins_and_sweeps_in_every_mode(String mode) throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;" + mode);
        JdbcStore store = JdbcStore.of(source);
        Onefold onefold = Onefold.on(store);
        for (int i = 0; i < 2; i++) {
            assertThat(onefold.run(PAY, Key.of("leased"), attempt -> "one")).isEqualTo("one");
            assertThat(onefold.attemptInTransaction(PAY, Key.of("joined"), (attempt, connection) -> "two"))
                    .isInstanceOf(i == 0 ? Outcome.Executed.class : Outcome.Replayed.class);
        }
        assertThat(onefold.find(PAY, Key.of("joined"))).isPresent();
        store.sweep(100);
        assertThat(JdbcStore.of(source).find(onefold.id(PAY, Key.of("leased")))).isNotNull();
    }
}
