package io.onefold.shop;

import io.onefold.spring.CurrentAttempt;
import io.onefold.spring.Idempotent;
import java.util.Objects;
import org.springframework.stereotype.Service;

/** Charges customers, through a provider who has a database of their own. */
@Service
class Payments {
    /** By which the provider, and {@link PaymentProbe} after a loss, knows the charge again. */
    static final String CHILD = "psp";

    private final Orders orders;
    private final PaymentProvider provider;

    Payments(Orders orders, PaymentProvider provider) {
        this.orders = orders;
        this.provider = provider;
    }

    /**
     * Leased: the charge is made elsewhere, so that no transaction can hold it back. An order is paid once, whoever asks and however
     * often. Should the provider fall silent, nobody knows whether it has charged: then it is not charged again, but
     * {@link PaymentProbe} asks.
     */
    @Idempotent(operation = "pay-order", key = "#orderId", keep = "3d", retryOn = NotFoundException.class)
    Receipt pay(long orderId) {
        Order order = orders.get(orderId);
        if (order.chargeId() != null) {
            // the record is no longer kept, but the order itself knows
            return new Receipt(order.chargeId(), orderId, order.total());
        }
        String key = Objects.requireNonNull(CurrentAttempt.get()).childKey(CHILD);
        Receipt receipt = provider.charge(key, orderId, order.total());
        orders.paid(orderId, receipt.chargeId());
        return receipt;
    }
}
