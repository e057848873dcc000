package io.onefold.shop;

import java.math.BigDecimal;

/** What the payment provider has charged. */
record Receipt(String chargeId, long orderId, BigDecimal amount) {}
