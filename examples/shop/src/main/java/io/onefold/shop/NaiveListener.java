package io.onefold.shop;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** The same messages without Onefold. */
@Component
class NaiveListener {
    private final NaiveShop shop;

    NaiveListener(NaiveShop shop) {
        this.shop = shop;
    }

    @KafkaListener(topics = "naive-order-paid", groupId = "naive-warehouse")
    void on(OrderPaid message) {
        shop.on(message);
    }

    @KafkaListener(topics = "naive-payment-due", groupId = "naive-payments")
    void on(PaymentDue message) {
        shop.pay(message.orderId());
    }
}
