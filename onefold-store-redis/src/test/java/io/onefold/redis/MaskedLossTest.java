package io.onefold.redis;

import static io.onefold.redis.Redises.COMPLETE;
import static io.onefold.redis.Redises.LEASE;
import static io.onefold.redis.Redises.claimed;
import static io.onefold.redis.Redises.id;
import static io.onefold.redis.Redises.idInBucket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.servers.RedisCluster;
import io.onefold.servers.RedisServer;
import io.onefold.store.Claim;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.Takeover;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A Redis that lost everything and was filled anew by a node that started later: the nodes that ran before notice it. */
class MaskedLossTest {
    private static final Operation<String> PAY = Operation.of("pay", String.class);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final Logger logger = (Logger) LoggerFactory.getLogger(DataLossGuard.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final RedisServer server = RedisServer.start();
    private final RedisConnections redis = RedisConnections.at(server.uri());

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        redis.close();
        server.close();
    }

    /** Builds the store of a node; a test of broken scripts gives it others. */
    RedisStore.Builder node() {
        return RedisStore.builder(redis);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_node_that_starts_on_the_empty_redis_does_not_hide_the_loss_from_one_that_ran_before(boolean restarted) {
        AtomicInteger effects = new AtomicInteger();
        try (Onefold before = Onefold.on(node().build())) {
            before.run(PAY, Key.of("order-1"), attempt -> "paid " + effects.incrementAndGet());
            if (restarted) {
                server.kill();
                server.restart();
            } else {
                server.command("FLUSHALL");
            }
            RedisStore later = node().build();
            claimed(later);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(
                            () -> before.run(PAY, Key.of("order-1"), attempt -> "paid " + effects.incrementAndGet()))
                    .withMessageContaining("lost")
                    .withMessageContaining("acceptLoss");
            assertThat(effects).hasValue(1);
            assertThat(errors()).singleElement().asString().contains("lost", "started", "acceptLoss");
            assertRefused(later, id());
        }
    }

    @Test
    void a_takeover_is_refused_as_a_first_claim_is() {
        RedisStore before = node().build();
        Ticket ticket = claimed(before);
        RecordSnapshot seen = Objects.requireNonNull(before.find(ticket.id()));
        server.command("FLUSHALL");
        node().build();
        Claim takeover = Claim.of(ticket.id(), UUID.randomUUID(), LEASE)
                .retaking(Takeover.TakeoverReason.LEASE_OVER, seen.record(), List.of());
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> before.claim(takeover));
        assertThat(before.find(ticket.id())).isNull();
    }

    @Test
    void a_change_that_finds_no_record_closes_redis_for_the_nodes_that_started_later() {
        RedisStore before = node().build();
        Ticket ticket = claimed(before);
        server.command("FLUSHALL");
        RedisStore later = node().build();
        claimed(later);
        assertThat(before.update(ticket, COMPLETE)).isEqualTo(UpdateResult.LOST);
        assertRefused(later, ticket.id());
        assertThat(errors()).isNotEmpty();
    }

    @Test
    void a_sweep_closes_redis_for_the_nodes_that_started_later() {
        RedisStore before = node().build();
        server.command("FLUSHALL");
        RedisStore later = node().build();
        claimed(later);
        assertThat(before.sweep(10)).isZero();
        assertRefused(later, id());
        assertThat(errors()).isNotEmpty();
    }

    @Test
    void what_a_person_has_accepted_is_accepted_by_all_nodes_and_the_next_loss_is_noticed_again() {
        RedisStore before = node().build();
        RedisStore idle = node().build();
        server.command("FLUSHALL");
        RedisStore later = node().build();
        assertRefused(before, id());
        later.acceptLoss();
        assertThatCode(() -> claimed(later)).doesNotThrowAnyException();
        assertThatCode(() -> claimed(idle)).doesNotThrowAnyException();
        assertThatCode(() -> claimed(before)).doesNotThrowAnyException();
        server.command("FLUSHALL");
        node().build();
        assertRefused(before, id());
        assertRefused(idle, id());
        assertThat(errors()).hasSizeGreaterThan(1);
    }

    @Test
    void when_the_time_after_a_loss_is_over_all_nodes_claim_and_the_next_loss_is_noticed_again() {
        RedisStore before = node().closedAfterLoss(MOMENT).build();
        RedisStore idle = node().closedAfterLoss(MOMENT).build();
        server.command("FLUSHALL");
        node().closedAfterLoss(MOMENT).build();
        assertRefused(before, id());
        awaitOpen(before);
        assertThatCode(() -> claimed(idle)).doesNotThrowAnyException();
        server.command("FLUSHALL");
        node().closedAfterLoss(MOMENT).build();
        assertRefused(idle, id());
        awaitOpen(before);
    }

    @Test
    void a_node_that_started_after_a_loss_was_noticed_is_not_deceived_by_the_next_one() {
        RedisStore before = node().build();
        server.command("FLUSHALL");
        assertRefused(before, id());
        RedisStore between = node().build();
        server.command("FLUSHALL");
        node().build();
        assertRefused(between, id());
    }

    @Test
    void nodes_that_start_at_once_on_an_empty_redis_agree() {
        List<RedisStore> nodes = List.copyOf(Together.call(8, same -> node().build()));
        RecordId one = id();
        claimed(nodes.get(0), one);
        for (RedisStore node : nodes) {
            assertThat(node.claim(Claim.of(one, UUID.randomUUID(), LEASE))).isInstanceOf(RecordSnapshot.class);
            assertThatCode(() -> claimed(node)).doesNotThrowAnyException();
        }
        assertThat(errors()).isEmpty();
    }

    @Test
    void in_a_cluster_each_bucket_is_judged_by_the_master_that_holds_it() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisConnections many = Redises.of(cluster)) {
            RedisStore before = RedisStore.of(many);
            int emptied = cluster.masterOf("onefold:{00}");
            List<Integer> lost = buckets(cluster, emptied, true);
            List<Integer> kept = buckets(cluster, emptied, false);
            cluster.command(emptied, "FLUSHALL");
            RedisStore later = RedisStore.of(many);
            claimed(later, idInBucket(kept.get(0)));
            claimed(before, idInBucket(kept.get(1)));
            assertRefused(before, idInBucket(lost.get(0)));
            assertRefused(later, idInBucket(lost.get(1)));
            before.acceptLoss();
            claimed(later, idInBucket(lost.get(1)));
            for (int master : cluster.masters()) {
                cluster.command(master, "FLUSHALL");
            }
            RedisStore last = RedisStore.of(many);
            claimed(last, idInBucket(kept.get(0)));
            for (int bucket : List.of(lost.get(0), kept.get(0), kept.get(1))) {
                assertRefused(before, idInBucket(bucket));
                assertRefused(last, idInBucket(bucket));
            }
        }
    }

    private static List<Integer> buckets(RedisCluster cluster, int master, boolean held) {
        return List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).stream()
                .filter(bucket -> (cluster.masterOf("onefold:{" + KeyLayout.hex(bucket) + "}") == master) == held)
                .toList();
    }

    private static void assertRefused(Store store, RecordId id) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> claimed(store, id))
                .withMessageContaining("lost");
    }

    private static void awaitOpen(Store store) {
        Redises.await("claims are granted again", () -> {
            try {
                return claimed(store).fence() > 0;
            } catch (StoreException e) {
                return false;
            }
        });
    }

    private List<String> errors() {
        return lines.list.stream()
                .filter(line -> line.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
