package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.redis.RedisStore;
import io.onefold.servers.RedisServer;
import io.onefold.store.Store;
import io.onefold.store.TieredStore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The Redis of {@code spring.data.redis}, with all it takes to be let in: TLS, a user and a password. */
class DataRedisTest {
    private static final RedisServer SERVER = RedisServer.secured();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void is_the_truth_where_it_is_chosen() {
        assertOnce(RedisStore.class, "--onefold.store=redis");
    }

    @Test
    void stands_before_the_database_where_there_is_one() {
        assertOnce(TieredStore.class);
    }

    private static void assertOnce(Class<? extends Store> store, String... more) {
        String prefix = "test-" + UUID.randomUUID();
        try (ConfigurableApplicationContext context = start(prefix, more)) {
            assertThat(context.getBean(Store.class)).isInstanceOf(store);
            Onefold onefold = context.getBean(Onefold.class);
            Operation<Integer> pay = Operation.of("pay", Integer.class);
            AtomicInteger runs = new AtomicInteger();
            for (int i = 0; i < 2; i++) {
                assertThat(onefold.run(pay, Key.of("k"), attempt -> runs.incrementAndGet()))
                        .isEqualTo(1);
            }
            assertThat(SERVER.command("EVAL", "return #redis.call('KEYS', ARGV[1])", "0", prefix + "*"))
                    .isNotEqualTo("0");
        }
    }

    private static ConfigurableApplicationContext start(String prefix, String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "--spring.main.web-application-type=none",
                "--spring.datasource.generate-unique-name=true",
                "--spring.data.redis.host=127.0.0.1",
                "--spring.data.redis.port=" + SERVER.port(),
                "--spring.data.redis.username=" + SERVER.user(),
                "--spring.data.redis.password=" + SERVER.password(),
                "--spring.data.redis.ssl.bundle=redis",
                "--spring.ssl.bundle.jks.redis.truststore.location="
                        + SERVER.trustStore().toUri(),
                "--spring.ssl.bundle.jks.redis.truststore.password=" + SERVER.trustStorePassword(),
                "--onefold.redis.prefix=" + prefix,
                // as long as a first handshake may take
                "--onefold.redis.timeout=10s"));
        settings.addAll(List.of(more));
        return new SpringApplication(Shop.class).run(settings.toArray(String[]::new));
    }

    @WithoutJpa
    static class Shop {}
}
