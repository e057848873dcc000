package io.onefold.redis;

import static io.onefold.redis.Redises.COMPLETE;
import static io.onefold.redis.Redises.claimed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onefold.servers.RedisServer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Ways to a Redis, and to none. */
class ConnectingTest {

    @Test
    void a_user_with_a_password_speaks_tls_and_nobody_else_is_let_in() throws Exception {
        try (RedisServer server = RedisServer.secured()) {
            try (RedisConnections redis = secured(server)
                    .username(server.user())
                    .password(server.password())
                    .build()) {
                RedisStore store = RedisStore.of(redis);
                assertThat(store.update(claimed(store), COMPLETE)).isEqualTo(UpdateResult.APPLIED);
            }
            String url = "rediss://" + server.user() + ":" + server.password() + "@127.0.0.1:" + server.port() + "/0";
            try (RedisConnections redis =
                    RedisConnections.builder().url(url).ssl(trusting(server)).build()) {
                claimed(RedisStore.of(redis));
            }
            try (RedisConnections wrong =
                    secured(server).username(server.user()).password("wrong").build()) {
                assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> RedisStore.of(wrong));
            }
            try (RedisConnections untrusting =
                    RedisConnections.builder().url(url).build()) {
                assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> RedisStore.of(untrusting));
            }
            try (RedisConnections plain = RedisConnections.builder()
                    .host("127.0.0.1")
                    .port(server.port())
                    .build()) {
                assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> RedisStore.of(plain));
            }
        }
    }

    @Test
    void a_certificate_of_another_name_is_refused_unless_names_do_not_matter() throws Exception {
        try (RedisServer server = RedisServer.secured();
                ServerSocket elsewhere = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 2}))) {
            // the certificate names 127.0.0.1 and localhost alone
            Thread forwarding = new Thread(() -> forward(elsewhere, server.port()));
            forwarding.setDaemon(true);
            forwarding.start();
            RedisConnections.Builder there = RedisConnections.builder()
                    .host("127.0.0.2")
                    .port(elsewhere.getLocalPort())
                    .ssl(trusting(server))
                    .username(server.user())
                    .password(server.password());
            try (RedisConnections checked = there.build()) {
                assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> RedisStore.of(checked));
            }
            try (RedisConnections unchecked = there.anyHostname().build()) {
                claimed(RedisStore.of(unchecked));
            }
        }
    }

    private static void forward(ServerSocket from, int port) {
        while (!from.isClosed()) {
            try {
                Socket client = from.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                for (Socket[] way : new Socket[][] {{client, server}, {server, client}}) {
                    Thread pump = new Thread(() -> {
                        try (Socket source = way[0];
                                Socket target = way[1]) {
                            source.getInputStream().transferTo(target.getOutputStream());
                        } catch (IOException e) {
                            // either side has gone
                        }
                    });
                    pump.setDaemon(true);
                    pump.start();
                }
            } catch (IOException e) {
                // closed, or nobody there
            }
        }
    }

    @Test
    void a_user_with_what_the_guide_lists_and_no_more_is_enough() {
        try (RedisServer server = RedisServer.start()) {
            server.command(
                    "ACL",
                    "SETUSER",
                    "app",
                    "on",
                    ">secret",
                    "~onefold:*",
                    "&onefold:ended",
                    "-@all",
                    "+eval",
                    "+evalsha",
                    "+get",
                    "+getset",
                    "+set",
                    "+setrange",
                    "+getrange",
                    "+pttl",
                    "+zadd",
                    "+zrem",
                    "+zrangebyscore",
                    "+time",
                    "+scan",
                    "+publish",
                    "+subscribe",
                    "+unsubscribe",
                    "+ping");
            try (RedisConnections redis = RedisConnections.builder()
                            .host("127.0.0.1")
                            .port(server.port())
                            .username("app")
                            .password("secret")
                            .build();
                    RedisConnections other = RedisConnections.at(server.uri())) {
                RedisStore store = RedisStore.of(redis);
                RedisStore there = RedisStore.of(other);
                var ticket = claimed(there);
                AtomicInteger woken = new AtomicInteger();
                store.signals().subscribe(ticket.id(), woken::incrementAndGet);
                Redises.await("it was said that someone waits", () -> woken.get() > 0);
                assertThat(store.update(ticket, COMPLETE)).isEqualTo(UpdateResult.APPLIED);
                assertThat(store.list(RecordFilter.stuck(), null, 10).records()).isEmpty();
                assertThat(store.list(RecordFilter.of(Status.SUCCESS), null, 10).records())
                        .hasSize(1);
                assertThat(store.sweep(10)).isZero();
                claimsTakesAndSettles(store);
            }
        }
    }

    /** Everything that makes a fence. */
    private static void claimsTakesAndSettles(RedisStore store) {
        RetentionPeriod keep = RetentionPeriod.of(Duration.ofHours(1));
        Ticket first = claimed(store);
        assertThat(store.update(first, COMPLETE)).isEqualTo(UpdateResult.APPLIED);
        StoredRecord done = Objects.requireNonNull(store.find(first.id())).record();
        Claim overwriting = Claim.of(first.id(), UUID.randomUUID(), Duration.ofMinutes(1))
                .replacing(Takeover.TakeoverReason.OVERWRITE, done, List.of());
        long fence = ((ClaimResult.Acquired) store.claim(overwriting)).fence();
        assertThat(fence).isGreaterThan(first.fence());
        Ticket second = new Ticket(first.id(), overwriting.owner(), fence);
        Change settled = new Change.Settle(UUID.randomUUID(), Status.FREE, null, keep, true);
        assertThat(store.update(second, settled)).isEqualTo(UpdateResult.APPLIED);
        assertThat(store.update(claimed(store), settled)).isEqualTo(UpdateResult.APPLIED);
    }

    private static RedisConnections.Builder secured(RedisServer server) throws Exception {
        return RedisConnections.builder().host("127.0.0.1").port(server.port()).ssl(trusting(server));
    }

    private static SSLContext trusting(RedisServer server) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(server.trustStore())) {
            store.load(file, server.trustStorePassword().toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void databases_of_a_server_are_apart() {
        try (RedisServer server = RedisServer.start();
                RedisConnections zero = RedisConnections.at(server.uri());
                RedisConnections one = RedisConnections.at(server.uri() + "/1");
                RedisConnections also =
                        RedisConnections.builder().url(server.uri()).database(1).build()) {
            RedisStore store = RedisStore.of(one);
            var ticket = claimed(store);
            assertThat(RedisStore.of(zero).find(ticket.id())).isNull();
            assertThat(RedisStore.of(also).find(ticket.id())).isNotNull();
        }
    }

    @Test
    void connections_of_ones_own_will_do() {
        try (RedisServer server = RedisServer.start();
                RedisConnections redis = RedisConnections.over(
                        new PooledConnectionProvider(new HostAndPort("127.0.0.1", server.port())))) {
            claimed(RedisStore.of(redis));
        }
    }

    @Test
    void a_store_does_not_open_where_nobody_answers() {
        try (RedisServer server = RedisServer.start();
                RedisConnections redis = RedisConnections.at(server.uri())) {
            server.kill();
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> RedisStore.of(redis))
                    .withMessageContaining("reached");
        }
    }

    @Test
    void a_setting_that_cannot_be_meant_is_refused_by_name() {
        assertThat(Stream.of("localhost:6379", "http://localhost", "redis://", "redis://host/db"))
                .allSatisfy(url -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> RedisConnections.builder().url(url))
                        .withMessageContaining("url"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisConnections.builder().cluster("host"))
                .withMessageContaining("host:port");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisConnections.builder().sentinel("master"))
                .withMessageContaining("nodes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisConnections.builder().timeout(Duration.ZERO))
                .withMessageContaining("PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisConnections.builder().connections(0))
                .withMessageContaining("0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisConnections.builder()
                        .cluster("a:1")
                        .sentinel("mymaster", "b:2")
                        .build())
                .withMessageContaining("mymaster");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        RedisConnections.builder().cluster("a:1").database(3).build())
                .withMessageContaining("3");
    }

    @Test
    void a_message_about_a_url_does_not_tell_the_password() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisConnections.at("http://user:secret@host"))
                .withMessageNotContaining("secret");
    }
}
