package io.onefold.redis;

import static io.onefold.redis.Redises.COMPLETE;
import static io.onefold.redis.Redises.DONE;
import static io.onefold.redis.Redises.LEASE;
import static io.onefold.redis.Redises.claimed;
import static io.onefold.redis.Redises.id;
import static io.onefold.redis.Redises.key;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onefold.servers.RedisServer;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.Takeover;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What records look like in Redis, and what it is asked to do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisRecordsTest {
    private final RedisServer server = RedisServer.start();
    private final RedisConnections redis = RedisConnections.at(server.uri());
    private final RedisStore store = RedisStore.of(redis);

    @AfterAll
    void stop() {
        redis.close();
        server.close();
    }

    @Test
    void a_claim_a_change_and_a_replay_are_one_command_each() {
        claimed(store);
        RecordId id = id();
        long before = scripts();
        Ticket ticket = claimed(store, id);
        assertThat(scripts()).isEqualTo(before + 1);
        store.update(ticket, COMPLETE);
        assertThat(scripts()).isEqualTo(before + 2);
        RecordSnapshot seen = (RecordSnapshot) store.claim(Claim.of(id, UUID.randomUUID(), LEASE));
        assertThat(seen.record().payload()).isEqualTo(DONE);
        assertThat(scripts()).isEqualTo(before + 3);
    }

    @Test
    void what_is_under_way_or_unknown_has_no_end_and_what_is_done_ends_with_its_keep() {
        Ticket ticket = claimed(store);
        assertThat(left(ticket.id())).isEqualTo(-1);
        store.update(ticket, new Change.Renew(LEASE));
        assertThat(left(ticket.id())).isEqualTo(-1);
        store.update(ticket, new Change.SaveCheckpoint(new byte[10]));
        assertThat(left(ticket.id())).isEqualTo(-1);
        store.update(ticket, new Change.MarkUnknown(DONE, false));
        assertThat(left(ticket.id())).isEqualTo(-1);
        store.update(
                ticket, new Change.Complete(DONE, new RetentionPeriod(Duration.ofMinutes(2), Duration.ofMinutes(3))));
        assertThat(left(ticket.id())).isBetween(299_000L, 300_000L);
    }

    @Test
    void what_is_free_again_and_claimed_has_no_end_either() {
        Ticket ticket = claimed(store);
        store.update(ticket, new Change.Release(RetentionPeriod.of(Duration.ofMinutes(2))));
        assertThat(left(ticket.id())).isBetween(119_000L, 120_000L);
        RecordSnapshot free = (RecordSnapshot) store.claim(Claim.of(ticket.id(), UUID.randomUUID(), LEASE));
        Claim retaking = Claim.of(ticket.id(), UUID.randomUUID(), LEASE)
                .retaking(Takeover.TakeoverReason.FREE, free.record(), List.of());
        assertThat(store.claim(retaking)).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(left(ticket.id())).isEqualTo(-1);
    }

    @Test
    void the_index_has_what_is_open_and_nothing_else() {
        Ticket done = claimed(store);
        Ticket failed = claimed(store);
        Ticket freed = claimed(store);
        Ticket unknown = claimed(store);
        Ticket running = claimed(store);
        assertThat(List.of(done, failed, freed, unknown, running)).allMatch(this::indexed);
        store.update(done, COMPLETE);
        store.update(failed, new Change.Fail(DONE, RetentionPeriod.of(LEASE)));
        store.update(freed, new Change.Release(RetentionPeriod.of(LEASE)));
        store.update(unknown, new Change.MarkUnknown(DONE, false));
        assertThat(List.of(done, failed, freed)).noneMatch(this::indexed);
        assertThat(List.of(unknown, running)).allMatch(this::indexed);
    }

    @Test
    void what_is_stuck_is_listed_without_looking_at_every_key() {
        for (int i = 0; i < 50; i++) {
            store.update(claimed(store), COMPLETE);
        }
        Ticket unknown = claimed(store);
        store.update(unknown, new Change.MarkUnknown(DONE, false));
        server.command("CONFIG", "RESETSTAT");
        assertThat(store.list(RecordFilter.stuck(), null, 100).records())
                .extracting(record -> record.id())
                .contains(unknown.id());
        assertThat(server.command("INFO", "commandstats")).doesNotContain("cmdstat_scan", "cmdstat_keys");
        assertThat(store.list(RecordFilter.of(Status.SUCCESS), null, 10).records())
                .hasSize(10);
        assertThat(server.command("INFO", "commandstats")).contains("cmdstat_scan");
    }

    @Test
    void scripts_that_the_server_has_forgotten_are_sent_again() {
        server.command("SCRIPT", "FLUSH");
        Ticket ticket = claimed(store);
        server.command("SCRIPT", "FLUSH");
        assertThat(store.update(ticket, COMPLETE)).isEqualTo(UpdateResult.APPLIED);
        server.command("SCRIPT", "FLUSH");
        assertThat(store.find(ticket.id())).isNotNull();

        List<Ticket> tickets = List.of(claimed(store), claimed(store), claimed(store));
        server.command("SCRIPT", "FLUSH");
        List<RecordUpdate> updates = new ArrayList<>();
        tickets.forEach(one -> updates.add(new RecordUpdate(one, COMPLETE)));
        assertThat(store.updateAll(updates)).extracting(BatchItemResult::get).containsOnly(UpdateResult.APPLIED);
    }

    @Test
    void claims_for_one_record_are_served_in_their_order_whatever_script_serves_them() {
        Ticket ticket = claimed(store);
        store.update(ticket, new Change.Release(RetentionPeriod.of(Duration.ofMinutes(2))));
        RecordSnapshot free = (RecordSnapshot) store.claim(Claim.of(ticket.id(), UUID.randomUUID(), LEASE));
        Claim taking = Claim.of(ticket.id(), UUID.randomUUID(), LEASE)
                .retaking(Takeover.TakeoverReason.FREE, free.record(), List.of());
        Claim looking = Claim.of(ticket.id(), UUID.randomUUID(), LEASE);
        List<BatchItemResult<ClaimResult>> answers =
                store.claimAll(List.of(Claim.of(id(), UUID.randomUUID(), LEASE), taking, looking));
        assertThat(((RecordSnapshot) answers.get(2).get()).record().owner())
                .as("who comes after the take meets it")
                .isEqualTo(taking.owner());
    }

    @Test
    void a_record_of_a_later_version_is_never_taken_for_absent_and_never_changed() {
        Ticket ticket = claimed(store);
        server.command("SETRANGE", key(ticket.id()), "0", "\u0007");
        String before = server.command("GET", key(ticket.id()));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.claim(Claim.of(ticket.id(), UUID.randomUUID(), LEASE)))
                .withMessageContaining("later");
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.update(ticket, COMPLETE));
        assertThat(server.command("GET", key(ticket.id()))).isEqualTo(before);
    }

    @Test
    void what_stands_in_the_place_of_a_record_is_an_error_that_names_it() {
        RecordId id = id();
        server.command("RPUSH", key(id), "not a record");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> claimed(store, id))
                .withMessageContaining("WRONGTYPE");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.find(id))
                .withMessageContaining("WRONGTYPE");
    }

    @Test
    void stores_of_different_prefixes_know_nothing_of_each_other() {
        RedisStore other = RedisStore.builder(redis).prefix("shop:eu").build();
        Ticket ticket = claimed(store);
        assertThat(other.find(ticket.id())).isNull();
        Ticket there = claimed(other, ticket.id());
        assertThat(other.list(RecordFilter.of(Status.PROCESSING), null, 10).records())
                .singleElement()
                .extracting(record -> record.ticket())
                .isEqualTo(there);
        store.update(ticket, COMPLETE);
        assertThat(found(other, ticket).record().status()).isEqualTo(Status.PROCESSING);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisStore.builder(redis).prefix("a{b}").build())
                .withMessageContaining("a{b}");
    }

    @Test
    void a_hundred_years_are_for_ever() {
        Ticket ticket = claimed(store);
        Duration years = Duration.ofDays(290 * 365);
        store.update(ticket, new Change.Complete(DONE, new RetentionPeriod(years, Duration.ofDays(1))));
        assertThat(left(ticket.id())).isGreaterThan(Duration.ofDays(36_000).toMillis());
        assertThat(found(store, ticket).record().payload()).isEqualTo(DONE);
    }

    private static RecordSnapshot found(RedisStore in, Ticket ticket) {
        return Objects.requireNonNull(in.find(ticket.id()));
    }

    private long left(RecordId id) {
        return Long.parseLong(server.command("PTTL", key(id)));
    }

    private boolean indexed(Ticket ticket) {
        RecordLocation place = new KeyLayout("onefold").of(ticket.id());
        String score = server.command(
                "ZSCORE", new String(place.bucket().open(), US_ASCII), new String(place.name(), US_ASCII));
        return !score.equals("(nil)");
    }

    private long scripts() {
        Matcher calls = Pattern.compile("cmdstat_evalsha:calls=(\\d+)").matcher(server.command("INFO", "commandstats"));
        assertThat(calls.find()).isTrue();
        return Long.parseLong(calls.group(1));
    }
}
