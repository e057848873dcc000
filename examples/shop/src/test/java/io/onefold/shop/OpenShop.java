package io.onefold.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.TimeOrderedIds;
import io.onefold.Verdict;
import io.onefold.store.RecordId;
import io.onefold.test.OutcomeCounter;
import io.onefold.upkeep.UnknownOutcomeRequest;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.json.JsonMapper;

/** The shop, open for business, with what tests want to know of its books. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "onefold.operations.create-order.wait-for=40s",
            "onefold.defaults.wait-for=40s",
            "onefold.upkeep.reconcile-every=100ms",
            // two consumers for each topic; one that is at work for so long is given up for lost
            "spring.kafka.listener.concurrency=2",
            "spring.kafka.consumer.properties.max.poll.interval.ms=500",
            "spring.kafka.consumer.properties.heartbeat.interval.ms=100"
        })
@ActiveProfiles("kafka")
@Import({Meeting.class, OutcomeCounter.class})
@DirtiesContext // so that the listeners of the next have the topics for themselves
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
    PaymentProvider payments;

    @Autowired
    PaymentProbe paymentProbe;

    @Autowired
    OutcomeCounter probe;

    @Autowired
    Meeting meeting;

    @Autowired
    JsonMapper json;

    @Autowired
    DataSource source;

    Customers customers;
    String sku;
    String coupon;

    @BeforeEach
    void stock_of_two(@Autowired Environment environment) {
        customers = new Customers(environment.getRequiredProperty("local.server.port", Integer.class));
        sku = TimeOrderedIds.next().toString();
        coupon = TimeOrderedIds.next().toString();
        meeting.of(1);
        provider.recover();
        db.sql("INSERT INTO product (sku, price, available, stock) VALUES (?, 5.00, 2, 2)")
                .param(sku)
                .update();
        db.sql("INSERT INTO coupon (code, discount, uses_left) VALUES (?, 1.00, 10)")
                .param(coupon)
                .update();
    }

    @DynamicPropertySource
    static void broker(DynamicPropertyRegistry registry) {
        registry.add("SHOP_KAFKA", Broker::address);
    }

    /** All that requests of a test change, and the order if there is one. */
    Hold hold(long order) throws SQLException {
        return new Hold(
                source,
                Map.of(
                        "SELECT sku FROM product WHERE sku = ?", sku,
                        "SELECT code FROM coupon WHERE code = ?", coupon,
                        "SELECT id FROM orders WHERE id = ?", order));
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

    /** What the probe says about the payment of an order. */
    Verdict<Receipt> probed(long order) {
        RecordId id = RecordId.of("", "pay-order", Long.toString(order));
        return paymentProbe.probe(new UnknownOutcomeRequest(id, Long.toString(order), 1, 1, Instant.now()));
    }

    /** Lets the time pass until a charge that was not seen is too late. */
    void expire(long order) {
        db.sql("UPDATE orders SET pay_until = ? WHERE id = ?")
                .params(OffsetDateTime.now(ZoneOffset.UTC).minusHours(1), order)
                .update();
    }

    long placed() throws Exception {
        HttpResponse<String> answer =
                customers.post("/orders", TimeOrderedIds.next().toString(), wanted());
        return json.readValue(answer.body(), Order.class).id();
    }

    String wanted() {
        return json.writeValueAsString(new OrderRequest("ann", sku, 1));
    }

    /** Made here and not by Spring, so that no record answers: as it is when their time is over. */
    Coupons withoutRecords() {
        return new Coupons(db, new Orders(db));
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
