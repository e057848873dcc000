package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.redis.RedisStore;
import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.Store;
import io.onefold.store.TieredStore;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Redis alone, and Redis before a database, while it is there, when it goes away, and when it is back. */
class RedisTest {
    private static final String PAYMENT = "{\"id\":\"p\",\"amount\":1}";

    private static Running shop(TcpProxy way, String... more) {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.add("--onefold.redis.url=redis://127.0.0.1:" + way.port() + "/0");
        arguments.add("--onefold.redis.prefix=" + UUID.randomUUID());
        return Running.start(Shop.class, arguments.toArray(String[]::new));
    }

    private static boolean replayed(HttpResponse<String> answer) {
        return answer.statusCode() == 201
                && answer.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    @Test
    void alone_it_is_the_truth_and_without_it_nothing_runs() throws Exception {
        try (TcpProxy way = TcpProxy.to(RedisServer.shared().port());
                Running shop = shop(way, "--onefold.store=redis")) {
            Shop.Runs runs = shop.bean(Shop.Runs.class);
            assertThat(shop.bean(Store.class)).isInstanceOf(RedisStore.class);
            HttpResponse<String> first = shop.post("/pay", "k1", PAYMENT);
            HttpResponse<String> again = shop.post("/pay", "k1", PAYMENT);
            assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
            assertThat(replayed(again)).isTrue();
            assertThat(again.body()).isEqualTo(first.body());

            way.refuse();
            way.cut();
            HttpResponse<String> refused = shop.post("/pay", "k2", PAYMENT);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(shop.post("/pay", "k1", PAYMENT).statusCode()).isEqualTo(503);
            assertThat(runs.of("p")).isEqualTo(1);

            way.accept();
            Until.holds(() -> replayed(now(shop, "k1")));
            assertThat(runs.of("p")).isEqualTo(1);
            assertThat(shop.post("/pay", "k2", PAYMENT).statusCode()).isEqualTo(201);
            assertThat(runs.of("p")).isEqualTo(2);
        }
    }

    @Test
    void before_a_database_it_may_come_and_go() throws Exception {
        try (TcpProxy way = TcpProxy.to(RedisServer.shared().port());
                Running shop = shop(way)) {
            Shop.Runs runs = shop.bean(Shop.Runs.class);
            assertThat(shop.bean(Store.class)).isInstanceOf(TieredStore.class);
            shop.post("/pay", "k1", PAYMENT);
            assertThat(replayed(now(shop, "k1"))).isTrue();

            way.refuse();
            way.cut();
            assertThat(replayed(now(shop, "k1"))).isTrue();
            assertThat(shop.post("/pay", "k2", PAYMENT).statusCode()).isEqualTo(201);
            assertThat(replayed(now(shop, "k2"))).isTrue();
            assertThat(shop.post("/orders", "k3", PAYMENT).statusCode()).isEqualTo(200);
            assertThat(runs.of("p")).isEqualTo(3);

            way.accept();
            for (String key : List.of("k1", "k2")) {
                assertThat(replayed(now(shop, key))).isTrue();
            }
            assertThat(runs.of("p")).isEqualTo(3);
        }
    }

    private static HttpResponse<String> now(Running shop, String key) {
        try {
            return shop.post("/pay", key, PAYMENT);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
