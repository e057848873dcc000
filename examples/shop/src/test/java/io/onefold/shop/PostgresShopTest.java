package io.onefold.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.servers.PostgresServer;
import io.onefold.servers.RedisServer;
import io.onefold.store.Store;
import io.onefold.store.TieredStore;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** With PostgreSQL and Redis before it. */
@ActiveProfiles("postgres")
class PostgresShopTest extends ShopCases {
    @DynamicPropertySource
    static void servers(DynamicPropertyRegistry registry) {
        PostgresServer postgres = PostgresServer.shared();
        String url = postgres.url(postgres.newDatabase());
        registry.add("SHOP_DB_URL", () -> url);
        registry.add("SHOP_DB_USER", postgres::user);
        registry.add("SHOP_DB_PASSWORD", postgres::password);
        registry.add("SHOP_REDIS_URL", RedisServer.shared()::uri);
    }

    @Test
    void redis_stands_before_the_database(
            @Autowired Store store, @Autowired Payments payments, @Autowired Orders orders) {
        payments.pay(orders.place(new OrderRequest("ann", "pen", 1)).id());

        assertThat(store).isInstanceOf(TieredStore.class);
        assertThat(Integer.parseInt(RedisServer.shared().command("DBSIZE"))).isPositive();
    }
}
