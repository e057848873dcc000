package io.onefold.shop;

import io.onefold.Verdict;
import io.onefold.shop.Order.State;
import io.onefold.spring.ForOperation;
import io.onefold.upkeep.OutcomeProbe;
import io.onefold.upkeep.UnknownOutcomeRequest;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds out what became of payments whose answer was lost, and finishes them. */
@Component
@ForOperation("pay-order")
class PaymentProbe implements OutcomeProbe<Receipt> {
    /** By so much at most, ours and the provider's. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    private final Orders orders;
    private final PaymentProvider provider;

    PaymentProbe(Orders orders, PaymentProvider provider) {
        this.orders = orders;
        this.provider = provider;
    }

    @Override
    public Verdict<Receipt> probe(UnknownOutcomeRequest stuck) {
        Order order = orders.get(Long.parseLong(Objects.requireNonNull(stuck.bizId())));
        boolean expired = hasExpired(order); // before asking: what arrives after the answer must be too late
        Optional<Receipt> charged = provider.find(stuck.childKey(Payments.child(order)));
        if (charged.isPresent()) {
            orders.paid(order.id(), charged.get().chargeId());
            return Verdict.executed(charged.get());
        }
        if (order.state() == State.OPEN) {
            return Verdict.canNoLongerHappen(); // no charge is made for an order that is open
        }
        if (expired) {
            orders.reopen(order);
            return Verdict.canNoLongerHappen();
        }
        return Verdict.unknown(); // the request may still be on its way
    }

    private static boolean hasExpired(Order order) {
        return order.payUntil() != null
                && order.payUntil().plus(CLOCKS_DIFFER).isBefore(OffsetDateTime.now(ZoneOffset.UTC));
    }
}
