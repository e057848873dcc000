package io.onefold.redis;

import static io.onefold.redis.Redises.COMPLETE;
import static io.onefold.redis.Redises.LEASE;
import static io.onefold.redis.Redises.claimed;
import static io.onefold.redis.Redises.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that do not arrive, and servers that are away for a while (F8, F9). */
@Timeout(120)
class RedisNetworkTest {
    private final RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
    private final TcpProxy proxy = TcpProxy.to(server.port());
    private final RedisConnections redis = RedisConnections.builder()
            .host("127.0.0.1")
            .port(proxy.port())
            .timeout(Duration.ofMillis(500))
            .build();
    private final RedisStore store = RedisStore.of(redis);

    @AfterEach
    void stop() {
        redis.close();
        proxy.close();
        server.close();
    }

    @Test
    void a_claim_whose_answer_is_lost_is_sent_again_and_knows_itself() {
        RecordId id = id();
        UUID owner = UUID.randomUUID();
        CompletableFuture<Void> cut =
                proxy.cutAfterRequestContaining(new KeyLayout("onefold").of(id).key());
        ClaimResult claimed = store.claim(Claim.of(id, owner, LEASE));
        assertThat(cut).isCompleted();
        assertThat(claimed).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(found(id).owner()).isEqualTo(owner);
        assertThat(found(id).attempts()).isEqualTo(1);
    }

    @Test
    void a_change_whose_answer_is_lost_is_sent_again_and_answered_as_the_first_time() {
        Ticket ticket = claimed(store);
        CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(
                new KeyLayout("onefold").of(ticket.id()).key());
        assertThat(store.update(ticket, COMPLETE)).isEqualTo(UpdateResult.APPLIED);
        assertThat(cut).isCompleted();
        assertThat(found(ticket.id()).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void a_release_whose_answer_is_lost_gives_its_attempt_back_once() {
        Ticket ticket = claimed(store);
        CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(
                new KeyLayout("onefold").of(ticket.id()).key());
        store.update(ticket, new Change.Release(RetentionPeriod.of(LEASE), false));
        assertThat(cut).isCompleted();
        assertThat(found(ticket.id()).attempts()).isZero();
    }

    @Test
    void connections_that_died_while_idle_are_not_the_callers_trouble() {
        List<CompletableFuture<Ticket>> many = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            many.add(CompletableFuture.supplyAsync(() -> claimed(store), task -> new Thread(task).start()));
        }
        many.forEach(CompletableFuture::join);
        proxy.cut();
        for (int i = 0; i < 8; i++) {
            claimed(store);
        }
        server.kill();
        server.restart();
        for (int i = 0; i < 8; i++) {
            claimed(store);
        }
    }

    @Test
    void a_server_that_is_away_is_an_error_and_its_return_is_not() {
        Ticket ticket = claimed(store);
        server.kill();
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> store.update(ticket, COMPLETE));
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claimed(store));
        server.restart();
        assertThat(store.update(ticket, COMPLETE)).isEqualTo(UpdateResult.APPLIED);
    }

    @Test
    void a_server_that_does_not_answer_is_an_error_in_time() {
        Ticket ticket = claimed(store);
        server.pause();
        long began = System.nanoTime();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.update(ticket, COMPLETE))
                .withMessageContaining("timed out");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
        server.resume();
        assertThat(store.update(ticket, COMPLETE)).isEqualTo(UpdateResult.APPLIED);
    }

    @Test
    void of_a_list_that_is_cut_short_each_gets_its_own_answer() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            claims.add(Claim.of(id(), UUID.randomUUID(), LEASE));
        }
        byte[] last = new KeyLayout("onefold").of(claims.get(49).id()).key();
        CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(last);
        assertThat(store.claimAll(claims)).allMatch(answer -> answer.get() instanceof ClaimResult.Acquired);
        assertThat(cut).isCompleted();
    }

    private StoredRecord found(RecordId id) {
        return Objects.requireNonNull(store.find(id)).record();
    }
}
