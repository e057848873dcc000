package io.onefold.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.onefold.server.DemoClient.DemoOrder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoShopTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final DemoClient customer = new DemoClient();
    private HttpServer server;
    private String shop;

    @BeforeEach
    void open() throws IOException {
        server = DemoShop.open(directory, 0, new PrintStream(told, true, UTF_8));
        shop = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void it_charges_as_often_as_it_is_asked_to() throws Exception {
        DemoOrder order = DemoOrder.of(shop, "order-1", 100);
        assertThat(customer.charge(order).text()).contains("\"id\":\"ch-1\"", "\"amount\":100");
        assertThat(customer.charge(order).text()).contains("\"id\":\"ch-2\"");
        assertThat(customer.charges(shop, order)).isEqualTo(2);
        assertThat(customer.charges(shop, DemoOrder.of(shop, "order-2", 100))).isZero();
        assertThat(get("/charges/ch-2").statusCode()).isEqualTo(200);
        assertThat(get("/charges/ch-3").statusCode()).isEqualTo(404);
    }

    @Test
    void it_remembers_over_a_restart() throws Exception {
        customer.charge(DemoOrder.of(shop, "order-1", 100));
        close();
        open();
        assertThat(customer.charges(shop, DemoOrder.of(shop, "order-1", 100))).isEqualTo(1);
        HttpResponse<String> probed = get("/probe?key=key-of-order-1");
        assertThat(probed.statusCode()).isEqualTo(201);
        assertThat(probed.headers().firstValue("Location")).contains("/charges/ch-1");
        assertThat(probed.body()).contains("\"order\":\"order-1\"");
    }

    @Test
    void it_says_that_a_charge_can_no_longer_happen_only_if_none_is_under_way() throws Exception {
        assertThat(get("/probe?key=key-of-order-1").statusCode()).isEqualTo(410);
        var unused = customer.send(DemoOrder.of(shop, "order-1", 100).pausing(DemoShop.BEFORE));
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!told.toString(UTF_8).contains(DemoShop.PAUSES)) {
            assertThat(System.nanoTime()).as("it pauses in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
        assertThat(get("/probe?key=key-of-order-1").statusCode()).isEqualTo(404);
        assertThat(get("/probe").statusCode()).isEqualTo(404);
    }

    @Test
    void what_is_no_order_is_refused() throws Exception {
        assertThat(customer.charge(DemoOrder.of(shop, "order-1", -1)).status()).isEqualTo(400);
        assertThat(customer.charge(DemoOrder.of(shop, "or der", 1)).status()).isEqualTo(400);
        assertThat(get("/charges").body()).isEqualTo("[]\n");
    }

    private HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(shop + path)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
