package io.onefold.shop;

import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Pays by message what customers pay by request. It is the same payment, so that nothing more needs to be said here. */
@Component
class PaymentsDue {
    private final Payments payments;

    PaymentsDue(Payments payments) {
        this.payments = payments;
    }

    @KafkaListener(topics = "payment-due", groupId = "payments")
    void on(PaymentDue message) {
        payments.pay(message.orderId());
    }
}
