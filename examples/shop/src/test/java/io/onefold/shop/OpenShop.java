package io.onefold.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Ids;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** The shop, open for business, with what tests want to know of its books. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "onefold.operations.create-order.wait-for=40s",
            "onefold.defaults.wait-for=40s",
            "onefold.upkeep.reconcile-every=100ms"
        })
@Import(Meeting.class)
abstract class OpenShop {
    @Autowired
    JdbcClient db;

    @Autowired
    Warehouse warehouse;

    @Autowired
    NaiveShop naive;

    @Autowired
    FakeProvider provider;

    @Autowired
    Meeting meeting;

    @Autowired
    JsonMapper json;

    Customers customers;
    String sku;
    String coupon;

    @BeforeEach
    void stock_of_two(@Autowired Environment environment) {
        customers = new Customers(environment.getRequiredProperty("local.server.port", Integer.class));
        sku = Ids.next().toString();
        coupon = Ids.next().toString();
        meeting.of(1);
        provider.loseAnswers(0);
        db.sql("INSERT INTO product (sku, price, available, stock) VALUES (?, 5.00, 2, 2)")
                .param(sku)
                .update();
        db.sql("INSERT INTO coupon (code, discount, uses_left) VALUES (?, 1.00, 10)")
                .param(coupon)
                .update();
    }

    boolean isKnown(long order) {
        try {
            HttpResponse<String> answer = customers.post("/orders/" + order + "/payment");
            assertThat(answer.body()).containsAnyOf("urn:onefold:problem:outcome-unknown", "chargeId");
            return answer.statusCode() == 200;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    long placed() throws Exception {
        HttpResponse<String> answer = customers.post("/orders", Ids.next().toString(), wanted());
        return json.readValue(answer.body(), Order.class).id();
    }

    String wanted() {
        return json.writeValueAsString(new OrderRequest("ann", sku, 1));
    }

    Order order(long id) {
        try {
            return json.readValue(customers.get("/orders/" + id).body(), Order.class);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    int orders() {
        return number("SELECT COUNT(*) FROM orders WHERE sku = ?", sku);
    }

    int usesLeft() {
        return number("SELECT uses_left FROM coupon WHERE code = ?", coupon);
    }

    int shipments(OrderPaid message) {
        return number("SELECT COUNT(*) FROM shipment WHERE order_id = ?", message.orderId());
    }

    int number(String sql, Object parameter) {
        return db.sql(sql).param(parameter).query(BigDecimal.class).single().intValue();
    }
}
