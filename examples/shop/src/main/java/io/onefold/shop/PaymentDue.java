package io.onefold.shop;

/** The message that an order is to be paid now. */
record PaymentDue(long orderId) {}
