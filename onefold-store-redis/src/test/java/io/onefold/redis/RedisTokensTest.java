package io.onefold.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onefold.TokenStore;
import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.Store;
import io.onefold.store.contract.TokenStoreContract;
import io.onefold.store.contract.TokenStoreFixture;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RedisTokensTest extends TokenStoreContract {
    private static final RedisConnections REDIS =
            RedisConnections.at(RedisServer.shared().uri());
    private static final TokenStoreFixture FIXTURE = new Fixture(RedisStore.of(REDIS), RedisTokenStore.on(REDIS));

    @Override
    protected TokenStoreFixture fixture() {
        return FIXTURE;
    }

    /** Ages a token by having Redis remove it earlier. */
    private record Fixture(Store store, RedisTokenStore tokens) implements TokenStoreFixture {
        @Override
        public TokenStore tokens(Duration life) {
            return RedisTokenStore.on(REDIS, life);
        }

        @Override
        public void age(String token, Duration by) {
            String key = key(tokens, token);
            long left = Long.parseLong(RedisServer.shared().command("PTTL", key));
            assertThat(left).isPositive();
            RedisServer.shared().command("PEXPIRE", key, Long.toString(left - by.toMillis()));
        }

        @Override
        public List<byte[]> stored() {
            return RedisServer.shared()
                    .command("KEYS", "*:token:*")
                    .lines()
                    .flatMap(key -> List.of(key, RedisServer.shared().command("GET", key)).stream())
                    .map(part -> part.getBytes(ISO_8859_1))
                    .toList();
        }
    }

    private static String key(RedisTokenStore tokens, String token) {
        return new String(tokens.key(token), US_ASCII);
    }

    @Test
    void a_key_has_the_hash_of_its_token() throws NoSuchAlgorithmException {
        String token = FIXTURE.tokens().issue("submit", "ann");
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(US_ASCII));
        assertThat(RedisServer.shared()
                        .command(
                                "EXISTS",
                                "onefold:token:"
                                        + Base64.getUrlEncoder()
                                                .withoutPadding()
                                                .encodeToString(hash)))
                .isEqualTo("1");
    }

    @Test
    void redis_removes_a_token_after_two_lives() {
        RedisTokenStore tokens = RedisTokenStore.on(REDIS, Duration.ofHours(1));
        String token = tokens.issue("submit", "ann");
        assertThat(Long.parseLong(RedisServer.shared().command("PTTL", key(tokens, token))))
                .isBetween(
                        Duration.ofMinutes(119).toMillis(), Duration.ofHours(2).toMillis());
    }

    @Test
    void tokens_of_another_prefix_are_missing() {
        RedisTokenStore shop = RedisTokenStore.on(REDIS).prefix("shop:eu");
        String token = shop.issue("submit", "ann");
        assertThat(shop.check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.VALID);
        assertThat(RedisTokenStore.on(REDIS).check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.MISSING);
        assertThat(key(shop, token)).startsWith("shop:eu:token:");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> shop.prefix("a{b"))
                .withMessageContaining("a{b");
    }

    @Test
    void an_issue_whose_answer_was_lost_gives_a_valid_token() {
        try (TcpProxy proxy = TcpProxy.to(RedisServer.shared().port());
                RedisConnections redis = RedisConnections.at("redis://127.0.0.1:" + proxy.port())) {
            RedisTokenStore tokens = RedisTokenStore.on(redis).prefix("lost");
            CompletableFuture<Void> cut = proxy.cutAfterRequestContaining("lost:token:".getBytes(US_ASCII));
            String token = tokens.issue("submit", "ann");
            assertThat(cut).isCompleted();
            assertThat(tokens.check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.VALID);
        }
    }

    @Test
    void a_removal_whose_answer_was_lost_is_done() {
        try (TcpProxy proxy = TcpProxy.to(RedisServer.shared().port());
                RedisConnections redis = RedisConnections.at("redis://127.0.0.1:" + proxy.port())) {
            RedisTokenStore tokens = RedisTokenStore.on(redis).prefix("lost");
            String token = tokens.issue("submit", "ann");
            CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(tokens.key(token));
            tokens.remove(token);
            assertThat(cut).isCompleted();
            assertThat(tokens.check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.MISSING);
        }
    }

    @Test
    void a_life_of_more_than_a_century_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisTokenStore.on(REDIS, Duration.ofDays(40_000)))
                .withMessageContaining("PT960000H");
    }
}
