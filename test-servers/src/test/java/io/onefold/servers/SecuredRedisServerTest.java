package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.security.KeyStore;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SecuredRedisServerTest {
    private static final RedisServer SERVER = RedisServer.secured();

    @AfterAll
    static void close() {
        SERVER.close();
        assertThat(SERVER.home()).doesNotExist();
    }

    @Test
    void who_trusts_the_certificate_and_knows_the_password_is_served() throws Exception {
        try (RespClient client = RespClient.connect(trusting(), SERVER.port())) {
            assertThat(client.text("AUTH", SERVER.user(), SERVER.password())).isEqualTo("OK");
            assertThat(client.text("SET", "key", "value")).isEqualTo("OK");
        }
        assertThat(SERVER.command("GET", "key")).isEqualTo("value");
        assertThat(SERVER.uri()).isEqualTo("rediss://127.0.0.1:" + SERVER.port());
    }

    @Test
    void a_plain_connection_is_refused() {
        try (RespClient client = RespClient.connect(SocketFactory.getDefault(), SERVER.port())) {
            assertThatThrownBy(() -> client.text("PING")).isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void a_wrong_password_is_refused_and_so_is_none() throws Exception {
        try (RespClient client = RespClient.connect(trusting(), SERVER.port())) {
            assertThatThrownBy(() -> client.text("AUTH", SERVER.user(), "guess"))
                    .hasMessageStartingWith("WRONGPASS");
            assertThatThrownBy(() -> client.text("AUTH", SERVER.password())).hasMessageStartingWith("WRONGPASS");
            assertThatThrownBy(() -> client.text("GET", "key")).hasMessageStartingWith("NOAUTH");
        }
    }

    @Test
    void who_does_not_trust_the_certificate_says_nothing() {
        try (RespClient client = RespClient.connect(SSLSocketFactory.getDefault(), SERVER.port())) {
            assertThatThrownBy(() -> client.text("PING")).hasCauseInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void a_restarted_server_has_the_same_secrets() {
        try (RedisServer server = RedisServer.secured()) {
            server.kill();
            server.restart();
            assertThat(server.command("ACL", "WHOAMI")).isEqualTo(server.user());
        }
    }

    private static SocketFactory trusting() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = Files.newInputStream(SERVER.trustStore())) {
            store.load(file, SERVER.trustStorePassword().toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory();
    }
}
