package io.onefold.shop;

import io.onefold.spring.Idempotent;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Ships what was paid. */
@Service
class Warehouse {
    private final JdbcClient db;
    private final Orders orders;

    Warehouse(JdbcClient db, Orders orders) {
        this.db = db;
        this.orders = orders;
    }

    /**
     * Called for every delivery of a message. Joined: a delivery that was handled, but not acknowledged, finds its record and does
     * nothing; one that failed left no record and is handled anew.
     */
    @KafkaListener(topics = "order-paid", groupId = "warehouse")
    @Idempotent(operation = "ship-order", key = "#message.messageId", keep = "30d")
    @Transactional
    void on(OrderPaid message) {
        Order order = orders.get(message.orderId());
        int taken = db.sql("UPDATE product SET stock = stock - :n WHERE sku = :sku AND stock >= :n")
                .param("n", order.quantity())
                .param("sku", order.sku())
                .update();
        if (taken == 0) {
            throw new SoldOutException(order.sku());
        }
        db.sql("INSERT INTO shipment (order_id) VALUES (?)").param(order.id()).update();
    }
}
