package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.onefold.servers.MariaDbServer;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordUpdate;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** Results that are large together: servers refuse to read a statement of more than so many bytes. */
class LargeResultsTest {
    private static final int RECORDS = 70;
    private static final int BYTES = 320_000;

    @ParameterizedTest
    @EnumSource
    void travel_together_and_come_back_whole(Database database) {
        check(database.fresh());
    }

    @Test
    void travel_through_statements_that_the_server_prepares() throws SQLException {
        MariaDbServer server = MariaDbServer.shared();
        MariaDbDataSource source =
                new MariaDbDataSource(server.url(server.newDatabase(), server.port()) + "&useServerPrepStmts=true");
        source.setUser(server.user());
        source.setPassword(server.password());
        check(source);
    }

    @Test
    void travel_through_statements_that_the_server_prepares_for_mysqls_driver() throws SQLException {
        DataSource source = Database.MYSQL.fresh();
        ((MysqlDataSource) source).setUseServerPrepStmts(true);
        check(source);
    }

    private static void check(DataSource source) {
        JdbcStore store = JdbcStore.of(source);
        Random random = new Random(1);
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            claims.add(Claim.of(RecordId.of("", "export", "file-" + i), UUID.randomUUID(), Duration.ofMinutes(1)));
        }
        List<RecordUpdate> updates = new ArrayList<>();
        List<byte[]> results = new ArrayList<>();
        List<BatchItemResult<ClaimResult>> claimed = store.claimAll(claims);
        for (int i = 0; i < RECORDS; i++) {
            byte[] result = new byte[i % 8 == 7 ? i : BYTES];
            random.nextBytes(result);
            results.add(result);
            Claim claim = claims.get(i);
            Ticket ticket = new Ticket(
                    claim.id(),
                    claim.owner(),
                    ((ClaimResult.Acquired) claimed.get(i).get()).fence());
            ResultPayload payload = new ResultPayload(ResultPayload.Kind.VALUE, "raw", 1, null, result);
            updates.add(
                    new RecordUpdate(ticket, new Change.Complete(payload, RetentionPeriod.of(Duration.ofHours(1)))));
        }
        assertThat(store.updateAll(updates)).extracting(BatchItemResult::get).containsOnly(UpdateResult.APPLIED);
        for (int i = 0; i < RECORDS; i++) {
            ResultPayload payload = Objects.requireNonNull(
                            store.find(claims.get(i).id()))
                    .record()
                    .payload();
            assertThat(Objects.requireNonNull(payload).bytes()).isEqualTo(results.get(i));
        }
    }
}
