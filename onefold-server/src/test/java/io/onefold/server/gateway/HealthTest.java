package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.config.AdminAddress;
import io.onefold.server.config.ListenAddress;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HealthTest {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void a_store_that_hangs_is_down_and_metrics_are_told_meanwhile() throws Exception {
        InFlightRequests flights = new InFlightRequests();
        AdminAddress anywhere = new AdminAddress(AdminAddress.Kind.AT, new ListenAddress("127.0.0.1", 0));
        try (HealthAndMetrics vitals = new HealthAndMetrics(hanging(), flights, new GatewayMetrics(flights));
                AdminServer admin = AdminServer.open(anywhere, vitals)) {
            Client client = new Client(admin.port());
            List<CompletableFuture<Message>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(CompletableFuture.supplyAsync(
                        () -> client.get("/healthz"), task -> new Thread(task, "client").start()));
            }
            Rig.await("the store is asked", () -> asked.get() == 1);
            assertThat(client.get("/metrics").status()).isEqualTo(200);
            assertThat(all).allSatisfy(one -> {
                assertThat(one.join().status()).isEqualTo(503);
                assertThat(one.join().text()).contains("unreachable");
            });
            assertThat(asked).as("one question at a time").hasValue(1);
            gate.countDown();
            Rig.await("it is up again", () -> client.get("/healthz").status() == 200);
        }
    }

    /** Until the gate opens. */
    private Store hanging() {
        Store store = new MemoryStore();
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    asked.incrementAndGet();
                    gate.await();
                    return method.invoke(store, arguments);
                });
    }
}
