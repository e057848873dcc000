package io.onefold.shop;

import io.onefold.Verdict;
import io.onefold.spring.ForOperation;
import io.onefold.upkeep.OutcomeProbe;
import io.onefold.upkeep.Stuck;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds out what became of payments whose answer was lost, and finishes them. */
@Component
@ForOperation("pay-order")
class PaymentProbe implements OutcomeProbe<Receipt> {
    private final Orders orders;
    private final PaymentProvider provider;

    PaymentProbe(Orders orders, PaymentProvider provider) {
        this.orders = orders;
        this.provider = provider;
    }

    @Override
    public Verdict<Receipt> probe(Stuck stuck) {
        Optional<Receipt> charged = provider.find(stuck.childKey(Payments.CHILD));
        if (charged.isEmpty()) {
            return Verdict.unknown(); // the request may still be on its way
        }
        orders.paid(charged.get().orderId(), charged.get().chargeId());
        return Verdict.executed(charged.get());
    }
}
