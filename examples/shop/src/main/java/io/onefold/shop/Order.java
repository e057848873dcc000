package io.onefold.shop;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * @param payment the number of the payment that was begun last; 0 for none
 * @param payUntil when the charge of that payment expires
 * @param chargeId of the payment; null until it is paid
 */
record Order(
        long id,
        String customer,
        String sku,
        int quantity,
        BigDecimal total,
        State state,
        int payment,
        @Nullable OffsetDateTime payUntil,
        @Nullable String chargeId) {

    /** Only what is open can change. What is being paid stays so until it is known whether it was. */
    enum State {
        OPEN,
        PAYING,
        PAID
    }
}
