package io.onefold.shop;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** @param chargeId of the payment; null until it is paid */
record Order(
        long id,
        String customer,
        String sku,
        int quantity,
        BigDecimal total,
        @Nullable String chargeId) {}
