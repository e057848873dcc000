package io.onefold.shop;

/**
 * The message that a paid order is to be shipped.
 *
 * @param messageId the same in every delivery
 */
record OrderPaid(String messageId, long orderId) {}
