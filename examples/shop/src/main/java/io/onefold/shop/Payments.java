package io.onefold.shop;

import io.onefold.spring.CurrentAttempt;
import io.onefold.spring.Idempotent;
import java.util.Objects;
import org.springframework.stereotype.Service;

/** Charges customers, through a provider who has a database of their own. */
@Service
class Payments {
    private final Orders orders;
    private final PaymentProvider provider;

    Payments(Orders orders, PaymentProvider provider) {
        this.orders = orders;
        this.provider = provider;
    }

    /**
     * Leased: the charge is made elsewhere, so that no transaction can hold it back. An order is paid once, whoever asks and however
     * often. Should the provider fall silent, nobody knows whether it has charged: then it is not charged again, but
     * {@link PaymentProbe} asks, and until it knows nothing changes the order.
     */
    @Idempotent(
            operation = "pay-order",
            key = "#orderId",
            bizId = "#orderId",
            keep = "3d",
            retryOn = {NotFoundException.class, PaymentRefusedException.class})
    Receipt pay(long orderId) {
        Order order = orders.paying(orderId, PaymentProvider.expiry());
        if (order.chargeId() != null) {
            // the record is no longer kept, but the order itself knows
            return new Receipt(order.chargeId(), orderId, order.total());
        }
        String key = Objects.requireNonNull(CurrentAttempt.get()).childKey(child(order));
        try {
            Receipt receipt = provider.charge(key, orderId, order.total(), Objects.requireNonNull(order.payUntil()));
            orders.paid(orderId, receipt.chargeId());
            return receipt;
        } catch (PaymentRefusedException e) {
            orders.reopen(order);
            throw e;
        }
    }

    /**
     * By which the provider, and {@link PaymentProbe} after a loss, knows the charge again. A payment after a refused one has another:
     * providers repeat what they have answered under a key, refusals as well.
     */
    static String child(Order order) {
        return "psp-" + order.payment();
    }
}
